import { useCan } from '../../../api/session';
import { Field } from '../../../form/field';
import { PersonInput } from '../../../form/person-input';
import { locale } from '../../../text/language';
import { text } from '../../../text/text';
import { DataField } from '../../event/data/data-field';
import type { EventPlace } from '../../event/place';
import { useLatest } from '../../event/use-last-context';
import type { Sample } from './use-sample';

const OWN = 'own';
const time = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });

interface Props {
  place: EventPlace;
  sample: Sample;
  isRoom: boolean;
  /** Those of the template. */
  languages: string[];
}

/** For whom the message is shown. */
function whoText({ userName, isAmbiguous, person }: Sample): string {
  if (userName) return text.rule.sample.shownFor(userName);
  return isAmbiguous ? text.rule.sample.several(person.trim()) : text.rule.sample.nobody(person.trim());
}

/** Which real context, user and language the preview shows. */
export function SampleChoice({ place, sample, isRoom, languages }: Props) {
  const can = useCan();
  const latest = useLatest(place).data ?? [];
  function choose(value: string) {
    if (value === OWN) sample.setOwn(JSON.stringify(sample.found ?? {}, null, 2));
    else sample.choose(value);
  }
  return (
    <div className="sample">
      <div className="sample-fields">
        <Field label={text.rule.sample.context}>
          <select
            className="input"
            value={sample.own === null ? (sample.occurrence ?? latest[0]?.id ?? '') : OWN}
            onChange={(change) => choose(change.target.value)}
          >
            {latest.length === 0 && <option value="">{text.rule.sample.schema}</option>}
            {latest.map(({ id, created_at }, i) => (
              <option key={id} value={id}>
                {text.rule.sample.occurrence(time.format(new Date(created_at)), i === 0)}
              </option>
            ))}
            <option value={OWN}>{text.rule.sample.own}</option>
          </select>
        </Field>
        {isRoom ? (
          <p className="soft">{text.rule.sample.room}</p>
        ) : (
          can('user:read') && (
            <Field label={text.rule.sample.person} hint={whoText(sample)}>
              <PersonInput
                org={place.org}
                value={sample.person}
                onType={sample.setPerson}
                placeholder={text.rule.sample.personPlaceholder}
              />
            </Field>
          )
        )}
        <Field
          label={text.rule.sample.locale}
          hint={sample.locale.trim() && !sample.language ? text.rule.sample.noLocale : undefined}
        >
          <input
            className="input"
            list="preview-languages"
            value={sample.locale}
            placeholder={text.rule.sample.localePlaceholder}
            onChange={({ target }) => sample.setLocale(target.value)}
          />
        </Field>
        <datalist id="preview-languages">
          {languages.map((language) => (
            <option key={language} value={language} />
          ))}
        </datalist>
      </div>
      {sample.own !== null && (
        <DataField label={text.rule.sample.own} source={sample.own} onChange={sample.setOwn} names={sample.names} />
      )}
    </div>
  );
}
