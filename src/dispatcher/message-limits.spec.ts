import { describe, expect, it } from '@jest/globals';
import { dataProblem, reservedIn, withoutReserved } from './message-limits.js';

const LIMITS = { dataBytes: 20, reservedData: ['from', 'google*'] };

describe('the names of data', () => {
  it('belong to the provider if they are reserved, or begin as a reserved one does', () => {
    const data = { from: 1, from_shop: 1, google: 1, 'google.c.a': 1, a_google: 1, Google: 1 };
    expect(reservedIn(data, LIMITS)).toEqual(['from', 'google', 'google.c.a']);
    expect(withoutReserved({ url: '/', data }, LIMITS)).toEqual({
      url: '/',
      data: { from_shop: 1, a_google: 1, Google: 1 },
    });
  });

  it('are all free where nothing is reserved', () => {
    expect(reservedIn({ from: 1 }, {})).toEqual([]);
    expect(withoutReserved({ data: { from: 1 } }, {})).toEqual({ data: { from: 1 } });
    expect(withoutReserved(undefined, LIMITS)).toBeUndefined();
  });
});

describe('the size of data', () => {
  it('is counted in bytes of JSON', () => {
    expect(dataProblem({ data: { a: 'x'.repeat(12) } }, LIMITS)).toBeNull();
    expect(dataProblem({ data: { a: 'x'.repeat(13) } }, LIMITS)).toBe(
      'data has 21 bytes, and the channel takes 20: leave some of it out',
    );
    expect(dataProblem({ data: { a: '🛎'.repeat(4) } }, LIMITS)).toMatch(/^data has 24 bytes/);
  });

  it('does not matter where there is no limit or no data', () => {
    expect(dataProblem({ data: { a: 'x'.repeat(9000) } }, {})).toBeNull();
    expect(dataProblem({}, LIMITS)).toBeNull();
    expect(dataProblem(undefined, LIMITS)).toBeNull();
  });
});
