import { CommandError } from '../print/print.js';
import { RemoteError } from './client.js';

/** Whether the same request may succeed a moment later: the network failed, or the service is busy or being restarted. */
export function isTransient(error: unknown): boolean {
  if (error instanceof RemoteError) return error.status === 429 || error.status >= 500;
  return error instanceof CommandError;
}
