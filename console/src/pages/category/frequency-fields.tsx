import type { Category } from '@carillon/client';
import { Field } from '../../form/field';
import { text } from '../../text/text';

type Frequencies = Category['frequencies'];

interface Props {
  frequencies: Frequencies;
  digestAt: string;
  error: Error | null;
  onFrequencies: (frequencies: Frequencies) => void;
  onDigestAt: (time: string) => void;
}

const ALL = ['daily', 'weekly'] as const;

/** How often users may get the messages of a category, and when. */
export function FrequencyFields({ frequencies, digestAt, error, onFrequencies, onDigestAt }: Props) {
  const toggle = (frequency: (typeof ALL)[number]) =>
    onFrequencies(ALL.filter((each) => (each === frequency) !== frequencies.includes(each)));
  return (
    <>
      <fieldset className="choices">
        <legend className="label">{text.category.frequencies}</legend>
        {ALL.map((each) => (
          <label key={each} className="check">
            <input type="checkbox" checked={frequencies.includes(each)} onChange={() => toggle(each)} />
            {text.person.frequencies[each]}
          </label>
        ))}
      </fieldset>
      {frequencies.length > 0 && (
        <Field label={text.category.digestAt} hint={text.category.digestAtHint} error={error} name="digest_at">
          <input
            className="input"
            type="time"
            required
            value={digestAt}
            onChange={(event) => onDigestAt(event.target.value)}
          />
        </Field>
      )}
    </>
  );
}
