import { describe, expect, it } from '@jest/globals';
import { messageThread, threadOf } from './thread.js';

const RULE = { id: 9, thread: 'order.id' };
const SCOPE = ['acme', 'shop', 'web', 'order-paid', 'ann@acme.test'];

describe('the thread of a message', () => {
  it('is the value of a field of the context', () => {
    expect(threadOf(RULE, { order: { id: 'A-17' } }, false)).toEqual({ notification: 9, value: 'A-17' });
    expect(threadOf(RULE, { order: { id: 17 } }, false)).toEqual({ notification: 9, value: '17' });
  });

  it.each([{}, { order: 'A-17' }, { order: { id: null } }, { order: { id: '' } }])('is missing in %j', (context) => {
    expect(threadOf(RULE, context, false)).toBeUndefined();
  });

  it('is missing without the name of a field', () => {
    expect(threadOf({ id: 9 }, { order: { id: 'A-17' } }, false)).toBeUndefined();
  });

  it('is that of a digest only if the digest gathers messages about one thing', () => {
    const digest = { window: 60, max_items: 50, first: 'wait' } as const;
    const limit = { count: 1, per: 'hour', key: 'order.id', then: 'digest' } as const;
    const context = { order: { id: 'A-17' } };
    expect(threadOf({ ...RULE, digest: { ...digest, key: 'order.id' } }, context, true)).toBeDefined();
    expect(threadOf({ ...RULE, limit }, context, true)).toBeDefined();
    expect(threadOf({ ...RULE, digest }, context, true)).toBeUndefined();
    expect(threadOf({ ...RULE, digest, limit }, context, true)).toBeUndefined();
    expect(threadOf({ ...RULE, digest: { ...digest, key: 'customer' } }, context, true)).toBeUndefined();
    expect(threadOf({ ...RULE, digest }, context, false)).toBeDefined();
  });
});

describe('the IDs of a thread', () => {
  it('have at most 64 bytes, whatever the value', () => {
    const { group, replaces } = messageThread({ notification: 9, value: 'ü'.repeat(33) }, SCOPE);
    expect(group).toMatch(/^[\w-]{43}$/);
    expect(replaces).toMatch(/^[\w-]{43}$/);
  });

  it('show the value if it is short', () => {
    expect(messageThread({ notification: 9, value: 'ü'.repeat(32) }, SCOPE).group).toBe('ü'.repeat(32));
  });

  it('do not show a value that becomes long in JSON', () => {
    expect(messageThread({ notification: 9, value: '\u0001'.repeat(11) }, SCOPE).group).toMatch(/^[\w-]{43}$/);
  });

  it('tell long values apart that begin alike', () => {
    const of = (end: string) => messageThread({ notification: 9, value: 'x'.repeat(300) + end }, SCOPE);
    expect(of('a').group).not.toBe(of('b').group);
    expect(of('a').replaces).not.toBe(of('b').replaces);
  });

  it('tell applications, notifications and users apart', () => {
    const all = [
      messageThread({ notification: 9, value: '1' }, SCOPE),
      messageThread({ notification: 10, value: '1' }, SCOPE),
      messageThread({ notification: 9, value: '2' }, SCOPE),
      ...SCOPE.map((_, i) => messageThread({ notification: 9, value: '1' }, SCOPE.with(i, 'other'))),
    ];
    expect(new Set(all.map(({ replaces }) => replaces)).size).toBe(all.length);
  });

  it('are the same for the next message', () => {
    expect(messageThread({ notification: 9, value: '1' }, SCOPE)).toEqual(
      messageThread({ notification: 9, value: '1' }, SCOPE),
    );
  });
});
