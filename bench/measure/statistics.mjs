/** @typedef {{ median: number, min: number, max: number, rounds: number[] }} Summary */

/** The percentile by nearest rank: always a measured value, never an interpolated one. */
export function percentile(values, percent) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((sorted.length * percent) / 100) - 1)];
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** @returns {Summary} */
export function summary(rounds) {
  return { median: median(rounds), min: Math.min(...rounds), max: Math.max(...rounds), rounds };
}
