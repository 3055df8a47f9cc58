import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { carillon } from '../../../src/operate/cli/carillon.js';
import { NO_PROFILES } from './service.js';

const KEPT = ['PATH', 'HOME'];

/** Runs a command inside the test's own process: the same code as the program, without a second's start each time. */
export async function cli(args: string[], env: Record<string, string>, file?: string) {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-'));
  const path = join(folder, 'file.yaml');
  if (file !== undefined) writeFileSync(path, file);
  const before = process.env;
  const output = { stdout: '', stderr: '' };
  const restore = [capture('stdout', output), capture('stderr', output)];
  const kept = Object.fromEntries(KEPT.map((name) => [name, before[name]]));
  const secretKey = Buffer.alloc(32, 7).toString('base64');
  process.env = { ...kept, ...NO_PROFILES, SECRET_KEY: secretKey, OUTBOUND_ALLOW: '127.0.0.0/8', ...env };
  try {
    const code = await carillon(args.map((arg) => (arg === 'FILE' ? path : arg)));
    return { code, ...output };
  } finally {
    process.env = before;
    process.exitCode = undefined;
    restore.forEach((undo) => undo());
    rmSync(folder, { recursive: true });
  }
}

function capture(name: 'stdout' | 'stderr', output: Record<string, string>): () => void {
  const stream = process[name];
  const { write } = stream;
  const listeners = stream.listeners('error');
  stream.write = (chunk: string | Uint8Array) => {
    output[name] += String(chunk);
    return true;
  };
  return () => {
    stream.write = write;
    // A pipeline leaves one on standard output, which in the program ends with it.
    const added = stream.listeners('error').filter((listener) => !listeners.includes(listener));
    for (const listener of added) stream.off('error', listener as () => void);
  };
}
