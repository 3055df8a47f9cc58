import { openAsBlob } from 'node:fs';
import { basename, extname } from 'node:path';
import type { Upload } from '../../../../../clients/typescript/src/schema.js';
import { cannotRead } from '../../print/print.js';
import type { RemoteClient } from '../client.js';

/** A file may take long over a slow line. */
const TIMEOUT_MS = 300_000;

const TYPES: Record<string, string> = {
  '.csv': 'text/csv',
  '.gif': 'image/gif',
  '.htm': 'text/html',
  '.html': 'text/html',
  '.ics': 'text/calendar; charset=utf-8',
  '.jpeg': 'image/jpeg',
  '.jpg': 'image/jpeg',
  '.json': 'application/json',
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.txt': 'text/plain; charset=utf-8',
  '.webp': 'image/webp',
  '.zip': 'application/zip',
};

/** Uploads files, and returns how a trigger attaches them. A file is read while it is sent. */
export async function attach(
  client: RemoteClient,
  organization: string,
  files: string[],
): Promise<{ upload: string }[]> {
  const attached: { upload: string }[] = [];
  for (const path of files) {
    const named = TYPES[extname(path).toLowerCase()] ?? 'application/octet-stream';
    const file = await opened(path, named);
    const type = named.startsWith('text/calendar') ? await calendarType(file, named) : named;
    const { id } = await client.send<Upload>('POST', `/api/o/${encodeURIComponent(organization)}/uploads/`, {
      ...{ file, query: { filename: basename(path) }, headers: { 'Content-Type': type }, timeoutMs: TIMEOUT_MS },
    });
    attached.push({ upload: id });
  }
  return attached;
}

/** An invitation names its method near its beginning, and its type must name the same one. */
async function calendarType(file: Blob, type: string): Promise<string> {
  const method = /^METHOD:([A-Z-]+)\s*$/im.exec(await file.slice(0, 10_000).text())?.[1];
  return method === undefined ? type : type.replace(';', `; method=${method.toUpperCase()};`);
}

async function opened(path: string, type: string): Promise<Blob> {
  try {
    return await openAsBlob(path, { type });
  } catch (error) {
    throw cannotRead(path, error);
  }
}
