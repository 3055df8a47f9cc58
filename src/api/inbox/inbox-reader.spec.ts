import { expect, it } from '@jest/globals';
import { naturalOrder } from '../../platform/database/order/id-order.js';
import { ConnectionShares } from '../../platform/http/limit/connection-shares.js';
import type { EventStream, StreamEvent } from '../../platform/http/stream/event-stream.js';
import type { InboxMessageDto } from './inbox.dto.js';
import { InboxReader } from './inbox-reader.js';
import type { InboxScope, InboxService } from './inbox.service.js';

const POOL_SIZE = 10;
const COUNTS = { unread: 1, unseen: 1 };
const order = naturalOrder('inbox_messages');
const scope = { organizationId: 1, userId: 1 } as InboxScope;

/** Streams of one organization over an inbox with one message. `room` is how many messages its clients may leave unread. */
function world(streams: number, room: number) {
  const seen = { reading: 0, most: 0, read: 0, sent: 0, ended: 0 };
  const inbox = {
    between: async () => {
      seen.most = Math.max(seen.most, ++seen.reading);
      await new Promise(setImmediate);
      seen.reading--;
      seen.read++;
      return { messages: [{ id: 1 } as InboxMessageDto], counts: COUNTS, isCut: false };
    },
    start: async () => ({ counts: COUNTS, brand: null }),
  } as unknown as InboxService;
  const stream = {
    closed: false,
    get hasCapacity() {
      return seen.sent < room;
    },
    send: async ({ event }: StreamEvent) => event === 'counts' || Boolean(++seen.sent),
    end: () => void seen.ended++,
  } as unknown as EventStream;
  const shares = new ConnectionShares(POOL_SIZE);
  const readers = Array.from({ length: streams }, () => new InboxReader(scope, stream, inbox, shares, 0, order));
  return { seen, showAll: () => Promise.all(readers.map((reader) => reader.show(1))) };
}

it('streams of an organization read one after the other, so that they take no connections from others', async () => {
  const { seen, showAll } = world(60, Infinity);
  await showAll();
  expect(seen).toMatchObject({ most: 1, sent: 60, ended: 0 });
});

it('a stream that waited for its turn reads nothing when clients have too much to read by then', async () => {
  const { seen, showAll } = world(60, 10);
  await showAll();
  expect(seen.read).toBeLessThan(15);
  expect(seen.ended).toBe(60 - seen.sent);
});
