import { createHash, createHmac } from 'node:crypto';

interface AwsKeys {
  service: string;
  region: string;
  accessKey: string;
  secretKey: string;
  /** Of temporary keys; empty: there is none. */
  sessionToken: string;
}

interface SignedRequest {
  method: string;
  url: URL;
  /** Variables in lower case. All of them are signed. */
  headers: Readonly<Record<string, string>>;
  body: string | Uint8Array;
}

const ALGORITHM = 'AWS4-HMAC-SHA256';

const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex');
const hmac = (key: string | Buffer, data: string): Buffer => createHmac('sha256', key).update(data).digest();

/** The headers that sign a request to AWS (Signature Version 4), for services other than S3. */
export function signAws(request: SignedRequest, keys: AwsKeys, now: Date): Record<string, string> {
  const time = now.toISOString().replace(/[-:]|\.\d{3}/g, '');
  const day = time.slice(0, 8);
  const added = {
    'x-amz-date': time,
    ...(keys.sessionToken === '' ? {} : { 'x-amz-security-token': keys.sessionToken }),
  };
  const headers = { host: request.url.host, ...request.headers, ...added };
  const names = Object.keys(headers).sort();
  const scope = `${day}/${keys.region}/${keys.service}/aws4_request`;
  const toSign = [ALGORITHM, time, scope, sha256(canonical(request, headers, names))].join('\n');
  const key = [day, keys.region, keys.service, 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${keys.secretKey}`);
  const signature = hmac(key, toSign).toString('hex');
  const credential = `${keys.accessKey}/${scope}`;
  return {
    ...added,
    authorization: `${ALGORITHM} Credential=${credential}, SignedHeaders=${names.join(';')}, Signature=${signature}`,
  };
}

function canonical(
  { method, url, body }: SignedRequest,
  headers: Readonly<Record<string, string>>,
  names: readonly string[],
): string {
  return [
    method,
    // Encoded twice, as all services but S3 want it. The URL has encoded it once.
    url.pathname.split('/').map(encoded).join('/'),
    [...url.searchParams]
      .map(([name, value]) => [encoded(name), encoded(value)] as const)
      .sort(([a, one], [b, other]) => order(a, b) || order(one, other))
      .map((pair) => pair.join('='))
      .join('&'),
    ...names.map((name) => `${name}:${headers[name]!.trim().replace(/ +/g, ' ')}`),
    '',
    names.join(';'),
    sha256(body),
  ].join('\n');
}

const order = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** RFC 3986: everything but letters, digits, `-`, `.`, `_` and `~`. */
const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
