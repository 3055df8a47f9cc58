import { generateKeyPairSync, randomUUID, verify } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Http2Server, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';

const keys = generateKeyPairSync('ec', {
  namedCurve: 'P-256',
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});

/** The settings of a channel that this service knows. */
export const APPLE_KEY = {
  team_id: 'DEF123GHIJ',
  key_id: 'ABC123DEFG',
  private_key: keys.privateKey,
  bundle_id: 'com.acme.shop',
};

const MINUTE_MS = 60_000;
const SIZE = 4096;

interface Push {
  device: string;
  collapseId: string;
  payload: { aps: { alert: { title?: string; body?: string }; badge?: number; 'thread-id'?: string } } & Record<
    string,
    unknown
  >;
}

/** Apple's push service over HTTP/2 without encryption. */
export class FakeApplePush {
  readonly shown: Push[] = [];
  /** Devices that do not take messages. */
  readonly refusing = new Map<string, { status: number; reason: string }>();
  /** The tokens that it has seen, the newest last. */
  readonly tokens: string[] = [];
  readonly sessions: ServerHttp2Session[] = [];
  /** The token of each connection, and since when. */
  private readonly current = new WeakMap<object, { token: string; since: number }>();

  private constructor(private readonly server: Http2Server) {
    server.on('session', (session) => {
      this.sessions.push(session);
      session.on('error', () => {});
    });
    server.on('stream', (stream, headers) => {
      stream.on('error', () => {});
      void this.answer(stream, headers as Record<string, string>);
    });
  }

  static async start(): Promise<FakeApplePush> {
    const server = createServer({ settings: { maxConcurrentStreams: 1000 } });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new FakeApplePush(server);
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): Promise<void> {
    for (const session of this.sessions) session.destroy();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  private async answer(stream: ServerHttp2Stream, headers: Record<string, string>): Promise<void> {
    let body = '';
    for await (const chunk of stream) body += String(chunk);
    const problem = this.problemWith(stream.session!, headers, body);
    if (problem) {
      stream.respond({ ':status': problem.status, 'apns-id': randomUUID() });
      return void stream.end(JSON.stringify({ reason: problem.reason }));
    }
    this.shown.push({
      device: headers[':path']!.slice('/3/device/'.length),
      collapseId: headers['apns-collapse-id']!,
      payload: JSON.parse(body) as Push['payload'],
    });
    stream.respond({ ':status': 200, 'apns-id': randomUUID() });
    stream.end();
  }

  private problemWith(
    session: object,
    headers: Record<string, string>,
    body: string,
  ): { status: number; reason: string } | null {
    const token = /^bearer (.+)$/i.exec(headers.authorization ?? '')?.[1];
    if (token === undefined) return { status: 403, reason: 'MissingProviderToken' };
    const [head = '', claims = '', signature = ''] = token.split('.');
    const key = { key: keys.publicKey, dsaEncoding: 'ieee-p1363' } as const;
    if (!verify('sha256', Buffer.from(`${head}.${claims}`), key, Buffer.from(signature, 'base64url')))
      return { status: 403, reason: 'InvalidProviderToken' };
    const { iat } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { iat: number };
    if (Date.now() - iat * 1000 > 60 * MINUTE_MS) return { status: 403, reason: 'ExpiredProviderToken' };
    const { token: known, since } = this.current.get(session) ?? { token, since: -Infinity };
    if (known !== token && Date.now() - since < 20 * MINUTE_MS)
      return { status: 429, reason: 'TooManyProviderTokenUpdates' };
    if (known !== token || since === -Infinity) this.current.set(session, { token, since: Date.now() });
    if (!this.tokens.includes(token)) this.tokens.push(token);
    if (headers['apns-topic'] !== APPLE_KEY.bundle_id) return { status: 400, reason: 'BadTopic' };
    if (headers['apns-push-type'] !== 'alert') return { status: 400, reason: 'InvalidPushType' };
    if (Buffer.byteLength(headers['apns-collapse-id'] ?? '') > 64) return { status: 400, reason: 'BadCollapseId' };
    if (Buffer.byteLength(body) > SIZE) return { status: 413, reason: 'PayloadTooLarge' };
    return this.refusing.get(headers[':path']!.slice('/3/device/'.length)) ?? null;
  }
}
