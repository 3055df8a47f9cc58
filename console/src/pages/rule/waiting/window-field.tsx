import { ClockInput } from '../../../form/clock-input';
import { DAYS, DaysInput } from '../../../form/days-input';
import { FieldErrors } from '../../../form/field-errors';
import { text } from '../../../text/text';
import type { RuleWindow } from '../parts';

const WEEKDAYS: RuleWindow = { days: DAYS.slice(0, 5), from: '09:00', to: '17:00' };

const words = text.rule.waiting;

interface Props {
  window: RuleWindow | null;
  /** The text beside the box that turns it on. */
  label: string;
  hint: string;
  onChange: (window: RuleWindow | null) => void;
  error: Error | null;
  /** The field's name in errors. */
  name: string;
}

/** When messages may be sent. */
export function WindowField({ window, label, hint, onChange, error, name }: Props) {
  const put = (part: Partial<RuleWindow>) => onChange({ ...(window ?? WEEKDAYS), ...part });
  return (
    <fieldset className="rows-of">
      <legend className="label">{text.rule.window}</legend>
      <label className="check">
        <input
          type="checkbox"
          checked={window !== null}
          onChange={(change) => onChange(change.target.checked ? WEEKDAYS : null)}
        />
        <span>{label}</span>
      </label>
      {window && (
        <>
          <DaysInput days={window.days ?? DAYS} onChange={(days) => put({ days })} />
          <div className="row">
            <ClockInput label={words.from} value={window.from} onChange={(from) => put({ from })} />
            <ClockInput label={words.to} value={window.to} onChange={(to) => put({ to })} />
          </div>
          <p className="soft">{hint}</p>
        </>
      )}
      <FieldErrors error={error} name={name} />
    </fieldset>
  );
}
