import type { RequestToken } from '../auth/token-auth.js';

export const METHODS = ['POST', 'PUT', 'GET'] as const;

/** A request that is ready to be sent. */
export interface RenderedRequest {
  method: (typeof METHODS)[number];
  url: URL;
  headers: Record<string, string>;
  body: string | Uint8Array;
  /** What proves who sends it. It must not be shown. */
  secrets: string[];
  /** With a token that it is sent with: it is not ready yet. */
  token?: RequestToken;
}
