import type { Preference } from '@carillon/client';
import { Time } from '../../components/time';
import { text } from '../../text/text';

export type Choice = Pick<Preference, 'type' | 'on' | 'source' | 'chosen_at' | 'chosen_by' | 'cause'>;

interface Props {
  about: string;
  choice: Choice;
  /** The source of a choice that this row stores: it can be forgotten here. */
  own: Choice['source'];
  /** Null: it cannot be changed here. */
  choose: ((choice: 'on' | 'off' | null) => void) | null;
}

/** On or off, what decided it, and the switch. */
export function PreferenceCell({ about, choice, own, choose }: Props) {
  const { on, source, chosen_at, chosen_by, cause } = choice;
  // Decided elsewhere: a choice here would change nothing.
  const isElsewhere =
    ['required', 'transactional', 'suppressed'].includes(source) || (source === 'channel' && own !== source);
  const isFixed = !choose || isElsewhere;
  return (
    <div className="preference">
      {isFixed ? (
        <strong className={on ? 'on' : 'off'}>{on ? text.person.on : text.person.off}</strong>
      ) : (
        <label className="check">
          <input
            type="checkbox"
            role="switch"
            aria-label={about}
            checked={on}
            onChange={() => choose(on ? 'off' : 'on')}
          />
          {on ? text.person.on : text.person.off}
        </label>
      )}
      <span className="soft">
        {text.person.sources[source]}
        {cause && `: ${text.suppression.causes[cause]}`}
        {chosen_by && `, ${text.person.chosenBy[chosen_by]}`}
        {chosen_at && (
          <>
            , <Time at={chosen_at} />
          </>
        )}
      </span>
      {!isFixed && chosen_at && source === own && (
        <button className="link" onClick={() => choose(null)}>
          {text.person.forget}
          <span className="hidden"> {about}</span>
        </button>
      )}
    </div>
  );
}
