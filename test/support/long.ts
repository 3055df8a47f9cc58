/** Whether this is `npm run test:long`. */
export const isLong = process.env.TEST_LONG === '1';

/** How many, in `npm test` and `npm run check`, and in `npm run test:long`. */
export const sized = (short: number, long: number): number => (isLong ? long : short);
