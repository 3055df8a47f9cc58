import { text } from '../text/text';

const UNITS = ['s', 'm', 'h', 'd'] as const;
type Unit = (typeof UNITS)[number];

interface Props {
  /** `15m`, or a number of seconds. */
  value: string | number;
  onChange: (value: string) => void;
  id?: string;
  'aria-describedby'?: string;
  'aria-invalid'?: boolean;
}

/** A number and its unit. */
export function DurationInput({ value, onChange, ...input }: Props) {
  const [, count = '', unit = 'm'] = /^(\d*)([smhd]?)$/.exec(typeof value === 'number' ? `${value}s` : value) ?? [];
  return (
    <span className="row tight">
      <input
        {...input}
        className="input count"
        inputMode="numeric"
        value={count}
        onChange={(event) => onChange(event.target.value.replaceAll(/\D/g, '') + unit)}
      />
      <select
        className="input unit"
        aria-label={text.units.label}
        value={unit}
        onChange={(event) => onChange(count + event.target.value)}
      >
        {UNITS.map((one: Unit) => (
          <option key={one} value={one}>
            {text.units[one]}
          </option>
        ))}
      </select>
    </span>
  );
}
