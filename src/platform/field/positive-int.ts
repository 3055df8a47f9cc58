/** Parses a positive number that fits a PostgreSQL `integer`; null for any other text. */
export function positiveInt(text: string): number | null {
  const number = /^[1-9]\d{0,9}$/.test(text) ? Number(text) : 0;
  return number >= 1 && number <= 2_147_483_647 ? number : null;
}

/** The same for a `bigint`, up to 15 digits: JavaScript stores those exactly. */
export function positiveBigint(text: string): number | null {
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null;
}
