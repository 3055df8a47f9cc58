import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TestFolder {
  path: string;
  remove(): void;
}

export function createFolder(): TestFolder {
  const path = mkdtempSync(join(tmpdir(), 'carillon-'));
  chmodSync(path, 0o755); // PostgreSQL runs under another account when we are root
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
