import { expect, it } from '@jest/globals';
import { cellOfId, idRange, usedPart } from './id-range.js';

it('gives each cell ids that no other cell gives out, up to the largest id', () => {
  for (const type of ['integer', 'bigint'] as const) {
    for (let cell = 1; cell < 16; cell++) expect(idRange(cell, type).min).toBe(idRange(cell - 1, type).max + 1n);
  }
  expect(idRange(0, 'integer').min).toBe(1n);
  expect(idRange(15, 'integer').max).toBe(2n ** 31n - 1n);
  expect(idRange(15, 'bigint').max).toBeLessThan(BigInt(Number.MAX_SAFE_INTEGER));
});

it('knows the cell of an id', () => {
  for (const cell of [0, 1, 15]) {
    const { min, max } = idRange(cell, 'integer');
    expect([cellOfId(Number(min)), cellOfId(Number(max))]).toEqual([cell, cell]);
  }
});

it('says how much of a range is used up', () => {
  const range = idRange(2, 'integer');
  expect([usedPart(range, null), usedPart(range, range.max)]).toEqual([0, 1]);
  expect(usedPart(range, range.min + (range.max - range.min) / 2n)).toBeCloseTo(0.5, 3);
});
