import { ClockInput } from '../../../form/clock-input';
import { DAYS, DaysInput } from '../../../form/days-input';
import { FieldErrors } from '../../../form/field-errors';
import { text } from '../../../text/text';
import type { Draft } from '../draft';
import type { RuleWindow } from '../parts';

const WEEKDAYS: RuleWindow = { days: DAYS.slice(0, 5), from: '09:00', to: '17:00' };

const words = text.rule.waiting;

/** When messages may be sent. */
export function WindowField({ window, edit, error }: { window: RuleWindow | null } & Pick<Props, 'edit' | 'error'>) {
  const put = (part: Partial<RuleWindow>) => edit({ window: { ...(window ?? WEEKDAYS), ...part } });
  return (
    <fieldset className="rows-of">
      <legend className="label">{text.rule.window}</legend>
      <label className="check">
        <input
          type="checkbox"
          checked={window !== null}
          onChange={(change) => edit({ window: change.target.checked ? WEEKDAYS : null })}
        />
        <span>{words.window}</span>
      </label>
      {window && (
        <>
          <DaysInput days={window.days ?? DAYS} onChange={(days) => put({ days })} />
          <div className="row">
            <ClockInput label={words.from} value={window.from} onChange={(from) => put({ from })} />
            <ClockInput label={words.to} value={window.to} onChange={(to) => put({ to })} />
          </div>
          <p className="soft">{words.windowHint}</p>
        </>
      )}
      <FieldErrors error={error} name="window" />
    </fieldset>
  );
}

interface Props {
  edit: Draft['edit'];
  error: Error | null;
}
