import type { Author, ChangedMeanwhile as Change } from '../api/edit';
import type { Merge } from '../api/mergeable';
import { Compare } from '../compare/compare';
import { text } from '../text/text';
import { MergeChoice } from './merge-choice';
import { Time } from './time';

/** Who has changed what since somebody began to edit it. They decide: take the new version, put both together, or save over it. */
export function ChangedMeanwhile({ change }: { change: Change }) {
  const { authors, changes, merge, reload, overwrite } = change;
  const parts = Object.entries(changes ?? {});
  return (
    <div className="note warn stack" role="alert">
      <strong>{changes ? text.meanwhile.title : text.meanwhile.gone}</strong>
      <span>{text.meanwhile.hint}</span>
      {authors.length > 0 && <Authors authors={authors} />}
      {changes && parts.length === 0 && <span>{text.meanwhile.hidden}</span>}
      {parts.map(([name, [before, after]]) => (
        <Compare key={name} label={name} before={before} after={after} />
      ))}
      {merge && <Mine merge={merge} />}
      {merge ? (
        // Another version, other choices.
        <MergeChoice key={JSON.stringify(merge.conflicts)} merge={merge} reload={reload} />
      ) : (
        <div className="row">
          <button type="button" className="button small" onClick={reload}>
            {text.meanwhile.reload}
          </button>
          {changes && (
            <button type="button" className="button small danger" onClick={overwrite}>
              {text.meanwhile.overwrite}
            </button>
          )}
        </div>
      )}
    </div>
  );
}

function Authors({ authors }: { authors: Author[] }) {
  return (
    <>
      <span className="soft">{text.meanwhile.latest}</span>
      <ul aria-label={text.meanwhile.latest}>
        {authors.map(({ actor, at, fields }) => (
          <li key={`${at}${fields.join()}`}>
            <strong>{actor || text.meanwhile.somebody}</strong> <Time at={at} />
            {fields.length > 0 && `: ${fields.join(', ')}`}
          </li>
        ))}
      </ul>
    </>
  );
}

const Mine = ({ merge: { mine } }: { merge: Merge }) =>
  mine.length > 0 && <span>{text.meanwhile.mine(mine.join(', '))}</span>;
