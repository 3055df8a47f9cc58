import type { WeeklyRange } from '@carillon/client';
import { ClockInput } from '../../form/clock-input';
import { DAYS, DaysInput } from '../../form/days-input';
import { text } from '../../text/text';

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
          <DaysInput days={range.days} onChange={(days) => replace(at, { ...range, days })} />
          <div className="row">
            <ClockInput
              label={text.person.from}
              value={range.from}
              onChange={(from) => replace(at, { ...range, from })}
            />
            <ClockInput label={text.person.to} value={range.to} onChange={(to) => replace(at, { ...range, to })} />
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
