import type { ConfigField } from '../dispatcher.js';

/** A request cannot be made, because of the settings of the channel. No message can be sent with them. */
export class SettingProblem extends Error {}

/** HTTP takes some more characters in headers, but services do not. */
const problemWithHeaderText = (value: string): string | null =>
  /^[ -~]*$/.test(value) ? null : 'must be printable ASCII characters';

/** The fields with a check of those that become a header: quotation marks are easily pasted along with a token. */
export const checkedForHeaders = (fields: readonly ConfigField[], keys: readonly string[]): ConfigField[] =>
  fields.map((field) =>
    field.kind === 'string' && keys.includes(field.key)
      ? { ...field, problem: (value) => field.problem?.(value) ?? problemWithHeaderText(value) }
      : field,
  );

/** The value of a header that settings make. */
export function headerText(name: string, value: string): string {
  if (/[^\t -~\x80-\xff]/.test(value))
    throw new SettingProblem(`the header ${name} cannot have characters that the settings of the channel have`);
  return value;
}
