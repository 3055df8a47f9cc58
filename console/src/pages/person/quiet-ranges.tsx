import type { WeeklyRange } from '@carillon/client';
import { text } from '../../text/text';

export const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

interface Props {
  ranges: WeeklyRange[];
  onChange: (ranges: WeeklyRange[]) => void;
}

/** Weekly ranges: on which days, from when to when. */
export function QuietRanges({ ranges, onChange }: Props) {
  const replace = (at: number, range: WeeklyRange) => onChange(ranges.map((each, i) => (i === at ? range : each)));
  return (
    <div className="stack">
      {ranges.map((range, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- ranges have no other name
        <fieldset key={at} className="choices range">
          <legend className="hidden">{text.person.range(at + 1)}</legend>
          <div className="row">
            {DAYS.map((day) => (
              <label key={day} className="check">
                <input
                  type="checkbox"
                  checked={range.days.includes(day)}
                  onChange={() => replace(at, { ...range, days: turned(range.days, day) })}
                />
                {text.days[day]}
              </label>
            ))}
          </div>
          <div className="row">
            <Clock label={text.person.from} value={range.from} onChange={(from) => replace(at, { ...range, from })} />
            <Clock label={text.person.to} value={range.to} onChange={(to) => replace(at, { ...range, to })} />
            {ranges.length > 1 && (
              <button
                type="button"
                className="button small"
                onClick={() => onChange(ranges.filter((each) => each !== range))}
              >
                {text.person.removeRange}
              </button>
            )}
          </div>
        </fieldset>
      ))}
      <div className="row">
        <button
          type="button"
          className="button small"
          onClick={() => onChange([...ranges, { days: [...DAYS], from: '12:00', to: '13:00' }])}
        >
          {text.person.addRange}
        </button>
      </div>
    </div>
  );
}

const turned = (days: WeeklyRange['days'], day: WeeklyRange['days'][number]) =>
  DAYS.filter((each) => days.includes(each) !== (each === day));

/** A text, not a time: an input of the type `time` has no 24:00. */
function Clock({ label, value, onChange }: { label: string; value: string; onChange: (value: string) => void }) {
  return (
    <label className="row">
      {label}
      <input
        className="input clock"
        required
        pattern="([01]\d|2[0-3]):[0-5]\d|24:00"
        placeholder="22:00"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </label>
  );
}
