/** Last words of the names of fields that tell one occurrence of an event from the next: `order`, `order_id`, `invoiceNumber`. */
const TELLING = new Set(
  'id no nr number key ref reference code order invoice ticket incident booking shipment case build'.split(' '),
);
const MAX_LENGTH = 40;

const lastWord = (name: string) =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .at(-1) ?? '';

/**
 * What people call an occurrence by: the first field of its context, or of an object in it, whose name says that it identifies something, and
 * whose value is short. Undefined: none does.
 */
export function identityOf(context: unknown, depth = 0): string | undefined {
  if (typeof context !== 'object' || context === null || Array.isArray(context)) return undefined;
  for (const [name, value] of Object.entries(context)) {
    const isValue = typeof value === 'number' || typeof value === 'string';
    const shown = isValue ? String(value).trim() : '';
    if (shown !== '' && shown.length <= MAX_LENGTH && TELLING.has(lastWord(name))) return shown;
  }
  if (depth > 0) return undefined;
  for (const value of Object.values(context)) {
    const inside = identityOf(value, depth + 1);
    if (inside !== undefined) return inside;
  }
  return undefined;
}
