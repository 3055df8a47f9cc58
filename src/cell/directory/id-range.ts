/** Ids of 32 bits: a sixteenth of the positive ones for each cell. */
const INT_BITS = 27;
/** Ids of 64 bits: the highest of cell 15 is a safe number in JavaScript. */
const BIGINT_BITS = 48;

interface IdRange {
  min: bigint;
  max: bigint;
}

/** The ids that a cell gives out. Those of two cells never meet, so that an organization keeps all its ids when it moves. */
export function idRange(cell: number, type: 'integer' | 'bigint'): IdRange {
  const size = 1n << BigInt(type === 'integer' ? INT_BITS : BIGINT_BITS);
  const start = BigInt(cell) * size;
  return { min: start === 0n ? 1n : start, max: start + size - 1n };
}

/** The cell that gave out an id of 32 bits. */
export const cellOfId = (id: number) => Math.floor(id / 2 ** INT_BITS);

/** The part of a range that is used up, from 0 to 1. */
export const usedPart = ({ min, max }: IdRange, last: bigint | null) =>
  last === null ? 0 : Number(((last - min + 1n) * 10_000n) / (max - min + 1n)) / 10_000;
