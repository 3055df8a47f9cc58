import { describe, expect, it } from '@jest/globals';
import type { Message } from '../dispatcher.js';
import { MAX_PAYLOAD_BYTES, payloadOf } from './payload.js';

const about = {
  occurrence: '0192f0c1-7b2a-7c3d-8e4f-5a6b7c8d9e0f',
  organization: 'acme',
  project: 'shop',
  application: 'web',
  event: 'order-paid',
  user: 'ann',
};
const message: Message = { id: 'm1', to: '', subject: 'Paid', text: 'Hi', html: '', about, context: {} };

const parsed = (payload: string) => JSON.parse(payload) as { title: string; body: string };

describe('the payload', () => {
  it('has the title, the text, the occurrence and the event', () => {
    expect(parsed(payloadOf(message))).toEqual({
      title: 'Paid',
      body: 'Hi',
      data: { occurrence: about.occurrence, event: 'order-paid' },
    });
  });

  it('has link, picture, buttons and data, and says itself where the message comes from', () => {
    const rich = {
      url: '/orders/A-17',
      image: 'https://acme.test/a.png',
      actions: [{ label: 'Track', url: 'https://parcels.test/9' }],
      data: { order: 'A-17', gift: null, event: 'another' },
    };
    const { data, ...shown } = rich;
    expect(parsed(payloadOf({ ...message, rich, category: 'orders' }))).toEqual({
      ...{ title: 'Paid', body: 'Hi', ...shown },
      data: { order: data.order, gift: null, occurrence: about.occurrence, event: 'order-paid', category: 'orders' },
    });
  });

  it('has a tag only with a thread', () => {
    const thread = { group: 'A-17', replaces: 'h1' };
    expect(parsed(payloadOf({ ...message, thread }))).toHaveProperty('tag', 'h1');
    expect(parsed(payloadOf(message))).not.toHaveProperty('tag');
  });

  it.each([3000, 3389, 3390])('with data of %i letters leaves the text what is left', (length) => {
    const payload = payloadOf({ ...message, text: '"🛎'.repeat(3000), rich: { data: { a: 'x'.repeat(length) } } });
    const bytes = Buffer.byteLength(payload);
    expect(bytes).toBeLessThanOrEqual(MAX_PAYLOAD_BYTES);
    expect(bytes).toBeGreaterThan(MAX_PAYLOAD_BYTES - 12);
    expect(parsed(payload).body).toMatch(/^("🛎)+"?…$/u);
  });

  it('is not made of data that leave the text no room', () => {
    const send = (rich: Message['rich']) => () => payloadOf({ ...message, rich });
    expect(send({ data: { a: 'x'.repeat(3393) } })).toThrow('data has 3401 bytes, and the channel takes 3400');
    const url = `https://acme.test/${'x'.repeat(1900)}`;
    expect(send({ url, data: { a: 'x'.repeat(3000) } })).toThrow(
      /^the message has \d+ bytes without most of its text, and push services take 3993$/,
    );
  });

  it.each(['x', 'é', '🛎', '"', '\u0001', 'a\n', '\u2028'])('takes as many %j as fit', (text) => {
    const payload = payloadOf({ ...message, text: text.repeat(5000) });
    const { body } = parsed(payload);
    const bytes = Buffer.byteLength(payload);
    expect(bytes).toBeLessThanOrEqual(MAX_PAYLOAD_BYTES);
    // One more character and the ellipsis take at most 8 bytes.
    expect(bytes).toBeGreaterThan(MAX_PAYLOAD_BYTES - 8);
    expect(body.endsWith('…')).toBe(true);
    expect(text.repeat(5000).startsWith(body.slice(0, -1))).toBe(true);
    expect(body.isWellFormed()).toBe(true);
  });

  it('keeps a text that just fits', () => {
    for (let length = 0; length <= 200; length += 1) {
      const bodyOf = (text: string) => parsed(payloadOf({ ...message, subject: 't'.repeat(length), text })).body;
      const empty = Buffer.byteLength(payloadOf({ ...message, subject: 't'.repeat(length), text: '' }));
      const room = MAX_PAYLOAD_BYTES - empty;
      expect(bodyOf('x'.repeat(room))).toBe('x'.repeat(room));
      expect(bodyOf('x'.repeat(room + 1))).toBe(`${'x'.repeat(room - 3)}…`);
    }
  });

  it('leaves room for the text with a long title', () => {
    const payload = payloadOf({ ...message, subject: '\u0001'.repeat(9000), text: 'x'.repeat(9000) });
    expect(Buffer.byteLength(payload)).toBeLessThanOrEqual(MAX_PAYLOAD_BYTES);
    expect(parsed(payload).title).toHaveLength(200);
    expect(parsed(payload).body.length).toBeGreaterThan(2000);
  });
});
