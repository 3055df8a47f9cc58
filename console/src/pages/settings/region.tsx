import { Field } from '../../form/field';
import { ZoneInput } from '../../form/zone-input';
import { text } from '../../text/text';
import { SettingsSection } from './settings-section';
import type { SettingsProps } from './settings-section';

const words = text.settings.region;

/** The clock and the language of users who have none of their own. */
export function Region(props: SettingsProps) {
  return (
    <SettingsSection
      {...props}
      title={words.title}
      hint={words.hint}
      draftOf={({ time_zone, locale }) => ({ zone: time_zone ?? '', locale: locale ?? '' })}
      bodyOf={({ zone, locale }) => ({ time_zone: zone.trim() || null, locale: locale.trim() || null })}
    >
      {({ draft, change, disabled, error }) => (
        <div className="columns pair">
          <Field label={text.person.timeZone} hint={words.zoneHint} error={error} name="time_zone">
            <ZoneInput value={draft.zone} disabled={disabled} placeholder="UTC" onType={(zone) => change({ zone })} />
          </Field>
          <Field label={text.person.locale} hint={words.localeHint} error={error} name="locale">
            <input
              className="input"
              value={draft.locale}
              placeholder="en"
              disabled={disabled}
              onChange={(event) => change({ locale: event.target.value })}
            />
          </Field>
        </div>
      )}
    </SettingsSection>
  );
}
