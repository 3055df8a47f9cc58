import type { Preferences } from '@carillon/client';
import { text } from '../../text/text';

type Category = Preferences['categories'][number];
type Frequency = Category['frequency'];

interface Props extends Pick<Category, 'name' | 'frequency' | 'frequencies'> {
  /** Null: it cannot be changed here. */
  choose: ((frequency: Frequency) => void) | null;
}

/** How often the messages of a category come. */
export function FrequencySelect({ name, frequency, frequencies, choose }: Props) {
  if (!choose) return <span className="soft">{text.person.frequencies[frequency]}</span>;
  return (
    <select
      className="input"
      aria-label={`${name}, ${text.person.howOften}`}
      value={frequency}
      onChange={({ target }) => choose(target.value as Frequency)}
    >
      {(['at_once', ...frequencies] as const).map((each) => (
        <option key={each} value={each}>
          {text.person.frequencies[each]}
        </option>
      ))}
    </select>
  );
}
