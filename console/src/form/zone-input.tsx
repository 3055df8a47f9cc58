import { useId } from 'react';
import type { InputHTMLAttributes } from 'react';

const ZONES = Intl.supportedValuesOf('timeZone');

type Props = Omit<InputHTMLAttributes<HTMLInputElement>, 'value' | 'onChange'> & {
  value: string;
  onType: (zone: string) => void;
};

/** The IANA name of a time zone, with suggestions. */
export function ZoneInput({ value, onType, ...input }: Props) {
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
      <datalist id={id}>
        {ZONES.map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </>
  );
}
