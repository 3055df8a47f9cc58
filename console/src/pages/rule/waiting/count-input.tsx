interface Props {
  /** Undefined: nothing is typed. */
  value: number | undefined;
  onChange: (value: number | undefined) => void;
  id?: string;
  placeholder?: string;
  'aria-describedby'?: string;
  'aria-invalid'?: boolean;
}

/** A whole number. */
export function CountInput({ value, onChange, ...input }: Props) {
  return (
    <input
      {...input}
      className="input"
      type="number"
      min={1}
      value={value ?? ''}
      onChange={({ target }) => onChange(target.value === '' ? undefined : Number(target.value))}
    />
  );
}
