import type { InputHTMLAttributes } from 'react';

type Props = Omit<InputHTMLAttributes<HTMLInputElement>, 'value' | 'onChange' | 'type'> & {
  /** As the API has it: `2026-11-16T18:00:00.000Z`. */
  value: string | undefined;
  onChange: (value: string | undefined) => void;
};

/** A point in time, by the clock of whoever looks at it. */
export function MomentInput({ value, onChange, ...input }: Props) {
  return (
    <input
      className="input"
      {...input}
      type="datetime-local"
      value={localOf(value)}
      onChange={({ target }) => onChange(target.value ? new Date(target.value).toISOString() : undefined)}
    />
  );
}

function localOf(value: string | undefined): string {
  const at = new Date(value ?? '');
  if (Number.isNaN(at.getTime())) return '';
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
