import type { MessageLimit } from '@carillon/client';
import { FieldErrors } from '../../form/field-errors';
import { text } from '../../text/text';
import { SettingsSection } from './settings-section';
import type { SettingsProps } from './settings-section';

const words = text.settings.limit;
const PERIODS = ['minute', 'hour', 'day', 'week'] as const;

/** The most messages for one user. */
export function Limit(props: SettingsProps) {
  return (
    <SettingsSection
      {...props}
      title={words.title}
      hint={words.hint}
      draftOf={({ limit }) => ({ count: limit ? String(limit.count) : '', per: limit?.per ?? 'day' })}
      bodyOf={({ count, per }) => ({ limit: count.trim() === '' ? null : { count: Number(count), per } })}
    >
      {({ draft, change, disabled, error }) => (
        <div data-field="limit">
          <div className="row">
            <input
              className="input count"
              type="number"
              min={1}
              aria-label={words.count}
              placeholder={words.none}
              value={draft.count}
              disabled={disabled}
              onChange={(event) => change({ count: event.target.value })}
            />
            <select
              className="input settings-period"
              aria-label={words.per}
              value={draft.per}
              disabled={disabled}
              onChange={(event) => change({ per: event.target.value as MessageLimit['per'] })}
            >
              {PERIODS.map((per) => (
                <option key={per} value={per}>
                  {words.pers[per]}
                </option>
              ))}
            </select>
          </div>
          <FieldErrors error={error} name="limit" />
        </div>
      )}
    </SettingsSection>
  );
}
