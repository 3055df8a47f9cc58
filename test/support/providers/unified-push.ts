import { randomBytes } from 'node:crypto';
import type { HttpReply, ReceivedRequest } from '../sinks/http-sink.js';
import { FakePushService, refused, type Subscriber } from './push-service.js';

const MAX_ENDPOINT_BYTES = 1000;
const MAX_TTL = 2 ** 31;

/**
 * A push server of UnifiedPush with its distributor and an app (AND_3.0.0, which is web push since 2024: RFC 8030, 8291 and 8292). It refuses
 * everything that the specifications do not promise it.
 */
export class FakeUnifiedPush extends FakePushService {
  /** Whether the app registered with a VAPID key. Without one the server ignores it. */
  wantsVapid = true;

  /** The subscription of an app. The endpoint has a query, and may be as long as the specification allows. */
  register(applicationServerKey: string, state: 'live' | 'gone' | 'too busy' = 'live', bytes = 0) {
    const path = `/UP?token=${randomBytes(20).toString('base64url')}&v=2&up=`;
    const missing = bytes - Buffer.byteLength(this.origin + path);
    return this.subscribe(applicationServerKey, state, path + 'x'.repeat(Math.max(0, missing)));
  }

  protected override reply(request: ReceivedRequest): HttpReply {
    const { method, path, headers, raw } = request;
    if (Buffer.byteLength(this.origin + path) > MAX_ENDPOINT_BYTES) return refused(414, 1, 'the endpoint is too long');
    if (method !== 'POST') return refused(405, 2, 'only POST');
    // The length is known before the body: the server need not read a message that is too large.
    if (headers['content-length'] !== String(raw.length) || raw.length === 0) return refused(411, 3, 'no length');
    if (!/^\d+$/.test(String(headers.ttl)) || Number(headers.ttl) >= MAX_TTL) return refused(400, 4, 'no valid TTL');
    if (headers.topic !== undefined && !/^[\w-]{1,32}$/.test(String(headers.topic))) return refused(400, 5, 'topic');
    if (headers['crypto-key'] !== undefined || headers.encryption !== undefined)
      return refused(400, 6, 'a header of the drafts before RFC 8291');
    const reply = super.reply(request);
    return typeof reply === 'object' && reply.status === 201
      ? { ...reply, headers: { ...reply.headers, ttl: '0' } }
      : reply;
  }

  protected override problemWith(authorization: string, subscriber: Subscriber): HttpReply | null {
    return this.wantsVapid ? super.problemWith(authorization, subscriber) : null;
  }
}
