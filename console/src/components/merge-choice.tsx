import { useId, useState } from 'react';

import type { Side } from '../api/merge';
import type { Conflict, Merge } from '../api/mergeable';
import { Compare } from '../compare/compare';
import { text } from '../text/text';

/** Which side of each conflict is kept. Without a conflict, both changes are. */
export function MergeChoice({ merge: { conflicts, save }, reload }: { merge: Merge; reload: () => void }) {
  const [chosen, setChosen] = useState<ReadonlyMap<string, Side>>(new Map());
  const all = (side: Side) => new Map(conflicts.map(({ key }) => [key, side]));
  return (
    <>
      <span>{conflicts.length === 0 ? text.meanwhile.both : text.meanwhile.choose}</span>
      {conflicts.map((conflict) => (
        <Choice
          key={conflict.key}
          conflict={conflict}
          side={chosen.get(conflict.key)}
          onChoose={(side) => setChosen(new Map([...chosen, [conflict.key, side]]))}
        />
      ))}
      <div className="row">
        <button
          type="button"
          className="button small primary"
          disabled={chosen.size < conflicts.length}
          onClick={() => save(chosen)}
        >
          {conflicts.length === 0 ? text.meanwhile.keepBoth : text.meanwhile.saveChosen}
        </button>
        {conflicts.length > 0 && (
          <button type="button" className="button small danger" onClick={() => save(all('mine'))}>
            {text.meanwhile.allMine}
          </button>
        )}
        <button type="button" className="button small" onClick={reload}>
          {text.meanwhile.reload}
        </button>
      </div>
    </>
  );
}

interface ChoiceProps {
  conflict: Conflict;
  side: Side | undefined;
  onChoose: (side: Side) => void;
}

function Choice({ conflict: { key, parts }, side, onChoose }: ChoiceProps) {
  const id = useId();
  const names = Object.keys(parts);
  return (
    <fieldset className="choices">
      <legend className="label">{names.length > 0 ? names.join(', ') : (JSON.parse(key) as string[]).join('.')}</legend>
      {Object.entries(parts).map(([name, [theirs, mine]]) => (
        <Compare key={name} label={text.meanwhile.theirsAndMine(name)} before={theirs} after={mine} />
      ))}
      {(['theirs', 'mine'] as const).map((each) => (
        <label key={each} className="check">
          <input type="radio" name={id} checked={side === each} onChange={() => onChoose(each)} />
          {text.meanwhile.sides[each]}
        </label>
      ))}
    </fieldset>
  );
}
