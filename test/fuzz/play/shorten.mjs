const MOST_TRIES = 60;

/**
 * The shortest request that still has the same finding: without its query, its headers, parts of its body.
 * @param {import('../generate/request.mjs').Request} request
 * @param {(request: import('../generate/request.mjs').Request) => Promise<boolean>} isSame sends a request, and says whether it has the finding
 */
export async function shorten(request, isSame) {
  let best = request;
  let tries = 0;
  for (let isShorter = true; isShorter && tries < MOST_TRIES;) {
    isShorter = false;
    for (const other of shorter(best)) {
      if (++tries > MOST_TRIES) break;
      if (!(await isSame(other))) continue;
      best = other;
      isShorter = true;
      break;
    }
  }
  return best;
}

function* shorter(request) {
  const { path, headers, body, query } = request;
  if (Object.keys(query).length > 0) yield { ...request, path: path.split('?')[0], query: {} };
  for (const name of Object.keys(headers)) {
    if (name === 'authorization' || name === 'content-type') continue;
    const { [name]: _, ...rest } = headers;
    yield { ...request, headers: rest };
  }
  if (body === undefined) return;
  yield { ...request, body: undefined };
  let value;
  try {
    value = JSON.parse(String(body));
  } catch {
    if (body.length > 1)
      yield { ...request, body: body.subarray ? body.subarray(0, body.length >> 1) : body.slice(0, body.length >> 1) };
    return;
  }
  for (const other of shorterValues(value)) yield { ...request, body: JSON.stringify(other) };
}

function* shorterValues(value) {
  if (typeof value === 'string' && value.length > 1) {
    yield value.slice(0, value.length >> 1);
    yield value.slice(value.length >> 1);
  }
  if (typeof value !== 'object' || value === null) return;
  for (const key of Object.keys(value)) {
    if (Array.isArray(value)) yield value.filter((_, number) => number !== Number(key));
    else {
      const { [key]: _, ...rest } = value;
      yield rest;
    }
  }
  for (const [key, each] of Object.entries(value)) {
    for (const other of shorterValues(each)) {
      const copy = Array.isArray(value) ? [...value] : { ...value };
      copy[key] = other;
      yield copy;
    }
  }
}

/** A line for a shell. `$URL` and `$KEY` stand for the service and an API key. */
export function curlOf({ method, path, headers, body }) {
  const quote = (text) => `'${String(text).replaceAll("'", `'\\''`)}'`;
  const parts = ['curl', '-sS', '-X', method];
  if (headers.authorization) parts.push('-H', '"Authorization: Key $KEY"');
  for (const [name, value] of Object.entries(headers))
    if (name !== 'authorization') parts.push('-H', quote(`${name}: ${value}`));
  if (body !== undefined)
    parts.push('--data-binary', quote(String(body).length > 600 ? `${String(body).slice(0, 600)}...` : body));
  return [...parts, `"$URL"${quote(path)}`].join(' ');
}
