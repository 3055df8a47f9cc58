/** Counts of the service stop here. */
const MAX_COUNT = 1000;

export const counted = (count: number) => (count >= MAX_COUNT ? '1,000+' : String(count));
