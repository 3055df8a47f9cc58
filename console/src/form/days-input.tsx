import { text } from '../text/text';

export const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Day = (typeof DAYS)[number];

/** Days of the week. */
export function DaysInput({ days, onChange }: { days: readonly Day[]; onChange: (days: Day[]) => void }) {
  return (
    <div className="row">
      {DAYS.map((day) => (
        <label key={day} className="check">
          <input
            type="checkbox"
            checked={days.includes(day)}
            onChange={() => onChange(DAYS.filter((each) => days.includes(each) !== (each === day)))}
          />
          {text.days[day]}
        </label>
      ))}
    </div>
  );
}
