import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  hkdfSync,
  randomBytes,
  verify,
  type ECDH,
  type JsonWebKey,
} from 'node:crypto';
import type { HttpReply, ReceivedRequest } from '../sinks/http-sink.js';
import { FakeProvider, jsonReply } from './fake-provider.js';

const LARGEST_MESSAGE = 4096;
const A_DAY_SECONDS = 24 * 60 * 60;

const URGENCIES = new Set(['very-low', 'low', 'normal', 'high']);

type State = 'live' | 'gone' | 'too busy';

export interface Subscriber {
  state: State;
  keys: ECDH;
  auth: Buffer;
  /** The public key of the sender that the browser subscribed to. */
  applicationServerKey: string;
}

/** A push service together with its browsers (RFC 8030, 8188, 8291 and 8292). */
export class FakePushService extends FakeProvider {
  /** Messages that browsers showed, decrypted. */
  readonly shown: { path: string; payload: unknown; bytes: number }[] = [];
  private readonly subscribers = new Map<string, Subscriber>();

  protected override forget(): void {
    this.shown.length = 0;
  }

  /** The subscription that a browser's `pushManager.subscribe` returns. */
  subscribe(
    applicationServerKey: string,
    state: State = 'live',
    path = `/push/${randomBytes(16).toString('base64url')}`,
  ) {
    const keys = createECDH('prime256v1');
    const p256dh = keys.generateKeys('base64url');
    const auth = randomBytes(16);
    this.subscribers.set(path, { state, keys, auth, applicationServerKey });
    return {
      endpoint: `${this.origin}${path}`,
      expirationTime: null,
      keys: { p256dh, auth: auth.toString('base64url') },
    };
  }

  protected override reply({ method, path, headers, raw }: ReceivedRequest): HttpReply {
    const subscriber = this.subscribers.get(path);
    if (subscriber === undefined) return refused(404, 102, 'Not Found');
    if (subscriber.state === 'gone') return refused(410, 106, 'Gone');
    if (subscriber.state === 'too busy') return refused(429, 201, 'Too Many Requests', { 'retry-after': '11' });
    if (method !== 'POST' || !/^\d+$/.test(String(headers.ttl))) return refused(400, 111, 'Missing TTL header');
    if (headers['content-encoding'] !== 'aes128gcm') return refused(400, 110, 'Invalid encryption');
    if (headers.topic !== undefined && !/^[\w-]{1,32}$/.test(String(headers.topic)))
      return refused(400, 113, 'Invalid Topic');
    if (!URGENCIES.has(String(headers.urgency ?? 'normal'))) return refused(400, 112, 'Invalid Urgency');
    const problem = this.problemWith(String(headers.authorization), subscriber);
    if (problem !== null) return problem;
    if (raw.length > LARGEST_MESSAGE) return refused(413, 104, 'Payload Too Large');
    // A real service cannot decrypt: a message that its browser cannot read is lost silently. This fake refuses it.
    try {
      this.shown.push({ path, payload: JSON.parse(decrypted(raw, subscriber)), bytes: raw.length });
    } catch {
      return refused(400, 110, 'the browser cannot read this');
    }
    return { status: 201, headers: { location: `${this.origin}/message/${this.shown.length}` } };
  }

  /** Checks the VAPID token (RFC 8292): signed by the subscribed key, for this origin, not expired. */
  protected problemWith(authorization: string, { applicationServerKey }: Subscriber): HttpReply | null {
    const [, jwt = '', key = ''] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(authorization) ?? [];
    const [header = '', claims = '', signature = ''] = jwt.split('.');
    if (header === '' || !isSigned(`${header}.${claims}`, signature, key)) return refused(401, 109, 'Unauthorized');
    const { aud, exp, sub } = jsonOf(claims);
    const seconds = Number(exp) - Date.now() / 1000;
    const isForUs = jsonOf(header).alg === 'ES256' && aud === this.origin && seconds > 0 && seconds <= A_DAY_SECONDS;
    if (!isForUs || !/^(mailto:|https:\/\/)./.test(String(sub))) return refused(401, 109, 'Unauthorized');
    return key === applicationServerKey ? null : refused(403, 109, 'Forbidden');
  }
}

const jsonOf = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>;

function isSigned(signed: string, signature: string, publicKey: string): boolean {
  const point = Buffer.from(publicKey, 'base64url');
  const jwk: JsonWebKey = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  };
  const key = createPublicKey({ key: jwk, format: 'jwk' });
  return verify('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url'));
}

/** One record of `aes128gcm`, whose header is salt (16), record size (4), key length (1) and the sender's key (65). */
function decrypted(message: Buffer, { keys, auth }: Subscriber): string {
  const salt = message.subarray(0, 16);
  const senderKey = message.subarray(21, 21 + message.readUInt8(20));
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), keys.getPublicKey(), senderKey]);
  const secret = derived(keys.computeSecret(senderKey), auth, info, 32);
  const key = derived(secret, salt, 'Content-Encoding: aes128gcm\0', 16);
  const nonce = derived(secret, salt, 'Content-Encoding: nonce\0', 12);
  const decipher = createDecipheriv('aes-128-gcm', key, nonce).setAuthTag(message.subarray(-16));
  const padded = Buffer.concat([decipher.update(message.subarray(21 + senderKey.length, -16)), decipher.final()]);
  const end = padded.lastIndexOf(2);
  if (end === -1) throw new Error('the last record has no end');
  return padded.subarray(0, end).toString('utf8');
}

const derived = (secret: Buffer, salt: Buffer, info: Buffer | string, length: number): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, salt, info, length));

export const refused = (code: number, errno: number, error: string, headers?: Record<string, string>): HttpReply =>
  jsonReply(code, { code, errno, error, message: error, more_info: 'http://autopush.test/errors' }, headers);
