import { describe, expect, it } from '@jest/globals';
import { idRange } from '../../../cell/directory/id-range.js';
import { IdOrder, LAST_IDS, naturalOrder } from './id-order.js';

it('is that of the numbers until a move', () => {
  const natural = naturalOrder('inbox_messages');
  expect([natural.isNatural, natural.rank(7), natural.idAt(7), natural.settled(7)]).toEqual([true, 7, 7, 7]);
  expect(natural.between(3, 7)).toEqual([{ low: 3, high: 7 }]);
});

describe('after a move to a cell with lower ids', () => {
  // From a cell that gives out the ids from 200 to 299 to one that has given out 100 to 120.
  const spans = new IdOrder([{ low: 0, high: 999 }]).movedTo({ low: 121, high: 199 });
  const order = new IdOrder(spans);

  it('has the ids of the new cell last', () => {
    expect(spans).toEqual([
      { low: 0, high: 120 },
      { low: 200, high: 999 },
      { low: 121, high: 199 },
    ]);
    const ids = [5, 120, 200, 299, 121, 199];
    expect([...ids].sort((a, b) => order.rank(a) - order.rank(b))).toEqual(ids);
  });

  it('finds each id at its rank', () => {
    for (const id of [0, 5, 120, 121, 150, 199, 200, 999]) expect(order.idAt(order.rank(id))).toBe(id);
    expect(new Set(Array.from({ length: 1000 }, (_, id) => order.rank(id))).size).toBe(1000);
    expect(order.idAt(1000)).toBe(199);
    expect(order.rank(1000)).toBe(1000);
  });

  it('reads over the end of a span', () => {
    expect(order.between(order.rank(250), order.rank(130))).toEqual([
      { low: 250, high: 999 },
      { low: 121, high: 130 },
    ]);
    expect(order.between(order.rank(130), order.rank(130))).toEqual([{ low: 130, high: 130 }]);
    expect(order.between(order.rank(131), order.rank(130))).toEqual([]);
    expect(order.between(0, order.rank(110))).toEqual([{ low: 0, high: 110 }]);
  });

  it('is complete up to the move, whatever the cell has given out before', () => {
    expect(order.settled(120)).toBe(order.rank(999));
    expect(order.settled(130)).toBe(order.rank(130));
  });

  it('goes on after a move back', () => {
    const back = new IdOrder(order.movedTo({ low: 260, high: 299 }));
    const ids = [120, 200, 259, 300, 121, 199, 260, 299];
    expect([...ids].sort((a, b) => back.rank(a) - back.rank(b))).toEqual(ids);
    expect(back.settled(259)).toBe(back.rank(199));
  });
});

it('is exact for ids of 64 bits', () => {
  const [low, high] = [idRange(14, 'bigint'), idRange(15, 'bigint')].map(({ min }) => Number(min)) as [number, number];
  const down = new IdOrder(naturalOrder('audit_entries').movedTo({ low: low + 11, high: high - 1 }));
  const back = new IdOrder(down.movedTo({ low: high + 21, high: LAST_IDS.audit_entries }));
  const ids = [low + 10, high, high + 20, low + 11, low + 12, high + 21, high + 22];
  for (const id of ids) expect(back.idAt(back.rank(id))).toBe(id);
  expect(back.between(back.rank(low + 12) + 1, Infinity).at(-1)).toEqual({
    low: high + 21,
    high: LAST_IDS.audit_entries,
  });
  expect(back.between(back.rank(high + 21) + 1, Infinity)).toEqual([{ low: high + 22, high: LAST_IDS.audit_entries }]);
});
