import type { ChangedMeanwhile as Change } from '../api/edit';
import { Compare } from '../compare/compare';
import { text } from '../text/text';
import { Time } from './time';

/** Who has changed what since somebody began to edit it. They decide: take the new version, or save over it. */
export function ChangedMeanwhile({ change: { authors, changes, reload, overwrite } }: { change: Change }) {
  const parts = Object.entries(changes ?? {});
  return (
    <div className="note warn stack" role="alert">
      <strong>{changes ? text.meanwhile.title : text.meanwhile.gone}</strong>
      <span>{text.meanwhile.hint}</span>
      {authors.length > 0 && <span className="soft">{text.meanwhile.latest}</span>}
      {authors.length > 0 && (
        <ul aria-label={text.meanwhile.latest}>
          {authors.map(({ actor, at, fields }) => (
            <li key={`${at}${fields.join()}`}>
              <strong>{actor}</strong> <Time at={at} />
              {fields.length > 0 && `: ${fields.join(', ')}`}
            </li>
          ))}
        </ul>
      )}
      {changes && parts.length === 0 && <span>{text.meanwhile.hidden}</span>}
      {parts.map(([name, [before, after]]) => (
        <Compare key={name} label={name} before={before} after={after} />
      ))}
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
    </div>
  );
}
