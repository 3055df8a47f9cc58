import { Field } from '../../../form/field';
import { SuggestInput } from '../../../form/suggest-input';
import { text } from '../../../text/text';

interface Props {
  value: string | undefined;
  onChange: (value: string | undefined) => void;
  /** Names of the context. */
  fields: readonly string[];
  hint: string;
  error: Error | null;
  name: string;
}

/** A field of the context: each of its values counts for itself. */
export function KeyField({ value = '', onChange, fields, hint, error, name }: Props) {
  return (
    <Field label={text.rule.waiting.key} hint={hint} error={error} name={name}>
      <SuggestInput value={value} onType={(typed) => onChange(typed.trim() || undefined)}>
        {fields.map((field) => (
          <option key={field} value={field} />
        ))}
      </SuggestInput>
    </Field>
  );
}
