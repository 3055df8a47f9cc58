import { createHash } from 'node:crypto';
import type { MadeToken } from '../../token/channel-tokens.js';

/** How a request for a token is sent. Throws what `Outbound.post` throws. */
export type PostForm = (url: string, form: Readonly<Record<string, string>>) => Promise<TokenAnswer>;

export interface TokenAnswer {
  status: number;
  headers: Record<string, string>;
  text: string;
}

/** A token that a request needs before it can be sent. */
export interface RequestToken {
  purpose: string;
  fingerprint: string;
  minAgeMs: number;
  make(post: PostForm): Promise<MadeToken>;
}

/** Tells the settings apart that tokens are made of. */
export const fingerprintOf = (...parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url');

export const base64Json = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** No token can be made with these settings. Nobody was called. */
export const wrongKey = (answer: string): MadeToken => ({
  failure: { kind: 'rejected', answer, fault: 'channel', isLocal: true },
});
