const CODES = 10_000n;

/** What tells the messages to one number apart in an answer: four digits. Deliveries that follow each other have different ones. */
export const codeOf = (delivery: string): string => (BigInt(delivery) % CODES).toString().padStart(4, '0');
