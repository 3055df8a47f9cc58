import type { WeeklyRange } from '@carillon/client';
import { DAYS } from '../../form/days-input';
import { FieldErrors } from '../../form/field-errors';
import { text } from '../../text/text';
import { QuietRanges } from '../person/quiet-ranges';
import { SettingsSection } from './settings-section';
import type { SettingsProps } from './settings-section';

const NIGHT: WeeklyRange = { days: [...DAYS], from: '22:00', to: '07:00' };
const words = text.settings.quiet;

/** When messages wait, for users without quiet hours of their own. */
export function QuietHours(props: SettingsProps) {
  return (
    <SettingsSection
      {...props}
      title={text.person.quietHours}
      hint={words.hint}
      draftOf={({ quiet_hours }) => ({ ranges: quiet_hours ?? [] })}
      bodyOf={({ ranges }) => ({ quiet_hours: ranges.length > 0 ? ranges : null })}
    >
      {({ draft: { ranges }, change, disabled, error }) => (
        <fieldset className="choices" data-field="quiet_hours" disabled={disabled}>
          <legend className="hidden">{text.person.quietHours}</legend>
          <label className="check">
            <input
              type="checkbox"
              checked={ranges.length > 0}
              onChange={(event) => change({ ranges: event.target.checked ? [NIGHT] : [] })}
            />
            <span>{words.on}</span>
          </label>
          {ranges.length > 0 && <QuietRanges ranges={ranges} onChange={(next) => change({ ranges: next })} />}
          <FieldErrors error={error} name="quiet_hours" />
        </fieldset>
      )}
    </SettingsSection>
  );
}
