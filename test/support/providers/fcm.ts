import { generateKeyPairSync, verify } from 'node:crypto';
import type { HttpReply, ReceivedRequest } from '../sinks/http-sink.js';
import { FakeProvider, jsonIn, jsonReply } from './fake-provider.js';

const keys = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});

/** The key file of a service account of the project `acme-shop`. */
export const SERVICE_ACCOUNT = JSON.stringify({
  type: 'service_account',
  project_id: 'acme-shop',
  private_key_id: 'k1',
  private_key: keys.privateKey,
  client_email: 'carillon@acme-shop.iam.gserviceaccount.com',
});

const SIZE = 4096;

const RESERVED = /^(from$|message_type$|google|gcm)/;

interface FcmMessage {
  token?: string;
  fid?: string;
  notification?: { title?: string; body?: string; image?: string };
  data?: Record<string, unknown>;
  android?: { notification?: { tag?: string } };
  apns?: { headers?: Record<string, string>; payload?: { aps: { badge?: number; 'thread-id'?: string } } };
}

/** FCM over HTTP v1, with the service that makes access tokens at `/token`. */
export class FakeFcm extends FakeProvider {
  readonly shown: FcmMessage[] = [];
  /** Devices that do not take messages, with the code of the error. */
  readonly refusing = new Map<string, { status: number; errorCode: string }>();
  private readonly tokens = new Set<string>();
  tokensMade = 0;

  protected override forget(): void {
    this.shown.length = 0;
    this.refusing.clear();
    this.revoke();
    this.tokensMade = 0;
  }

  /** From now on, tokens that were made before are refused. */
  revoke(): void {
    this.tokens.clear();
  }

  protected override reply(request: ReceivedRequest): HttpReply {
    if (request.path === '/token') return this.makeToken(request.body);
    if (request.path !== '/v1/projects/acme-shop/messages:send') return refused(404, 'NOT_FOUND');
    if (!this.tokens.has(String(request.headers.authorization).replace('Bearer ', '')))
      return refused(401, 'UNAUTHENTICATED');
    const { message } = jsonIn(request) as { message: FcmMessage };
    const device = message.token ?? message.fid;
    const isRight =
      device !== undefined &&
      !(message.token && message.fid) &&
      Object.entries(message.data ?? {}).every(([key, value]) => typeof value === 'string' && !RESERVED.test(key)) &&
      Buffer.byteLength(JSON.stringify([message.notification, message.data])) <= SIZE;
    if (!isRight) return refused(400, 'INVALID_ARGUMENT');
    const refusal = this.refusing.get(device);
    if (refusal) return refused(refusal.status, 'FAILED', refusal.errorCode);
    this.shown.push(message);
    return jsonReply(200, { name: `projects/acme-shop/messages/${this.shown.length}` });
  }

  private makeToken(body: string): HttpReply {
    const [head = '', claims = '', signature = ''] = (new URLSearchParams(body).get('assertion') ?? '').split('.');
    const { aud, iat, exp } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<string, number>;
    const now = Date.now() / 1000;
    const isSigned = verify(
      'sha256',
      Buffer.from(`${head}.${claims}`),
      keys.publicKey,
      Buffer.from(signature, 'base64url'),
    );
    if (
      !isSigned ||
      ![`${this.origin}/token`, 'https://oauth2.googleapis.com/token'].includes(String(aud)) ||
      iat! > now ||
      exp! < now
    )
      return jsonReply(400, { error: 'invalid_grant' });
    const token = `ya29.token-${++this.tokensMade}`;
    this.tokens.add(token);
    return jsonReply(200, { access_token: token, expires_in: 3599, token_type: 'Bearer' });
  }
}

const refused = (code: number, status: string, errorCode?: string): HttpReply =>
  jsonReply(code, {
    error: {
      ...{ code, status, message: status },
      details: errorCode ? [{ '@type': 'type.googleapis.com/google.firebase.fcm.v1.FcmError', errorCode }] : [],
    },
  });
