import type { Preference } from '@carillon/client';
import { Time } from '../../part/time';
import { text } from '../../text/text';

export type Choice = Pick<Preference, 'type' | 'on' | 'source' | 'chosen_at' | 'chosen_by' | 'cause'>;

/** Sources that are a stored choice of the person, which can be forgotten here: those of the row itself. */
const OWN = new Set(['channel', 'category_channel', 'event_channel']);

interface Props {
  about: string;
  choice: Choice;
  /** Null: it cannot be changed here. */
  choose: ((choice: 'on' | 'off' | null) => void) | null;
}

/** On or off, what decided it, and the switch. */
export function PreferenceCell({ about, choice, choose }: Props) {
  const { on, source, chosen_at, chosen_by, cause } = choice;
  const isFixed = !choose || source === 'required' || source === 'transactional' || source === 'suppressed';
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
      {!isFixed && chosen_at && OWN.has(source) && (
        <button className="link" onClick={() => choose(null)}>
          {text.person.forget}
          <span className="hidden"> {about}</span>
        </button>
      )}
    </div>
  );
}
