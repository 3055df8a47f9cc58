import { useId } from 'react';
import type { InputHTMLAttributes, ReactNode } from 'react';

export type SuggestInputProps = Omit<InputHTMLAttributes<HTMLInputElement>, 'value' | 'onChange'> & {
  value: string;
  onType: (value: string) => void;
};

/** A text with suggestions: the options of a datalist. */
export function SuggestInput({ value, onType, children, ...input }: SuggestInputProps & { children: ReactNode }) {
  const id = useId();
  return (
    <>
      <input
        {...input}
        className="input"
        list={id}
        value={value}
        onChange={(change) => onType(change.target.value)}
        autoComplete="off"
        spellCheck={false}
      />
      <datalist id={id}>{children}</datalist>
    </>
  );
}
