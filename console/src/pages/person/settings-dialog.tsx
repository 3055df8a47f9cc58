import type { UserSettings, WeeklyRange } from '@carillon/client';
import { useState } from 'react';
import { useAuthors } from '../../api/authors';
import { carillon } from '../../api/carillon';
import { seenOf, useEdit } from '../../api/edit';
import { DAYS } from '../../form/days-input';
import { Field } from '../../form/field';
import { FormDialog } from '../../form/form-dialog';
import { ZoneInput } from '../../form/zone-input';
import { text } from '../../text/text';
import { QuietRanges } from './quiet-ranges';

const SETTINGS = '/api/o/{org}/u/{username}/settings/';
const NIGHT: WeeklyRange = { days: [...DAYS], from: '22:00', to: '07:00' };

interface Props {
  org: string;
  username: string;
  settings: UserSettings;
  onClose: () => void;
}

type Quiet = 'organization' | 'none' | 'own';
const quietOf = ({ quiet_hours }: UserSettings): Quiet =>
  quiet_hours === null ? 'organization' : quiet_hours.length === 0 ? 'none' : 'own';

export function SettingsDialog({ org, username, settings, onClose }: Props) {
  const [zone, setZone] = useState(settings.time_zone ?? '');
  const [locale, setLocale] = useState(settings.locale ?? '');
  const [quiet, setQuiet] = useState(quietOf(settings));
  const [ranges, setRanges] = useState(settings.quiet_hours?.length ? settings.quiet_hours : [NIGHT]);
  const [seen] = useState(() => seenOf(settings));
  const path = { org, username };
  const save = useEdit({
    seen: () => seen,
    read: () => carillon.get(SETTINGS, { path }),
    fields: () => {
      const quiet_hours = quiet === 'organization' ? null : quiet === 'none' ? [] : ranges;
      return { time_zone: zone.trim() || null, quiet_hours, locale: locale.trim() || null };
    },
    write: (_: void, headers, body) => carillon.patch(SETTINGS, { path, headers, body }),
    authors: useAuthors(org, 'user', username),
    reads: [SETTINGS],
    onDone: onClose,
    onReload: onClose,
  });
  return (
    <FormDialog
      title={text.person.settings}
      action={text.confirm.save}
      onClose={onClose}
      onSubmit={() => save.mutate()}
      isPending={save.isPending}
      error={save.error}
    >
      <Field label={text.person.timeZone} hint={text.person.timeZoneHint} error={save.error} name="time_zone">
        <ZoneInput value={zone} onType={setZone} />
      </Field>
      <Field label={text.person.locale} hint={text.person.localeHint} error={save.error} name="locale">
        <input className="input" value={locale} onChange={(event) => setLocale(event.target.value)} />
      </Field>
      <fieldset className="choices">
        <legend className="label">{text.person.quietHours}</legend>
        {(['organization', 'none', 'own'] as const).map((each) => (
          <label key={each} className="check">
            <input type="radio" name="quiet" checked={quiet === each} onChange={() => setQuiet(each)} />
            {text.person.quiet[each]}
          </label>
        ))}
      </fieldset>
      {quiet === 'own' && <QuietRanges ranges={ranges} onChange={setRanges} />}
    </FormDialog>
  );
}
