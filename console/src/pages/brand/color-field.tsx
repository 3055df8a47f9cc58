import { Field } from '../../form/field';
import { text } from '../../text/text';
import type { BrandDraft } from './draft';

interface Props {
  color: string;
  disabled: boolean;
  error: Error | null;
  onChange: (change: Partial<BrandDraft>) => void;
}

export const COLOR = /^#[0-9a-f]{6}$/i;

/** A color, typed or picked. */
export function ColorField({ color, disabled, error, onChange }: Props) {
  return (
    <div className="brand-color">
      <Field label={text.brand.color} hint={text.brand.colorHint} error={error} name="color">
        <input
          className="input mono"
          value={color}
          pattern="#[0-9a-fA-F]{6}"
          spellCheck={false}
          disabled={disabled}
          onChange={(event) => onChange({ color: event.target.value })}
        />
      </Field>
      <input
        type="color"
        aria-label={text.brand.pick}
        value={COLOR.test(color) ? color : '#3b5bdb'}
        disabled={disabled}
        onChange={(event) => onChange({ color: event.target.value })}
      />
    </div>
  );
}
