import { useState } from 'react';
import { serviceUrl } from '../api/place';
import { text } from '../text/text';

export interface Call {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With real ids: `/api/o/demo/u/`. */
  path: string;
  body?: unknown;
}

/** Quotes for a shell: nothing in it is read as a command. */
const quoted = (value: string) => `'${value.replaceAll("'", String.raw`'\''`)}'`;

/** The call as a line that works in a shell in which `KEY` is set. */
export function curlOf({ method = 'GET', path, body }: Call): string {
  const parts = ['curl'];
  if (method !== 'GET') parts.push('-X', method);
  parts.push(quoted(serviceUrl + path), '-H "Authorization: Key $KEY"');
  if (body !== undefined) parts.push("-H 'Content-Type: application/json'", '-d', quoted(JSON.stringify(body)));
  return parts.join(' ');
}

/** Copies the API call behind a page. */
export function CopyCurl({ call, label = text.curl.copy }: { call: Call; label?: string }) {
  const [copied, setCopied] = useState<string | null>(null);
  async function copy() {
    try {
      await navigator.clipboard.writeText(curlOf(call));
      setCopied(text.curl.copied);
    } catch {
      // Without https, browsers offer no clipboard: the line is shown instead.
      setCopied(curlOf(call));
    }
    setTimeout(() => setCopied(null), 4_000);
  }
  return (
    <button type="button" className="button small plain copy-curl" onClick={() => void copy()} title={curlOf(call)}>
      <span aria-live="polite">{copied ?? label}</span>
    </button>
  );
}
