import { text } from '../text/text';
import { diffOf } from './diff';
import './compare.css';

const SIGNS = { same: ' ', gone: '−', new: '+' };

/** Two versions of a text, line by line. */
export function Compare({ label, before, after }: { label: string; before: string; after: string }) {
  return (
    <figure className="compare" aria-label={text.compare.label(label)}>
      <figcaption>{label}</figcaption>
      <div className="compare-lines mono" tabIndex={0} role="group" aria-label={label}>
        {diffOf(before, after).map((line, i) => (
          <div key={i} className={line.kind}>
            <span className="sign" aria-hidden="true">
              {SIGNS[line.kind]}
            </span>
            {line.kind !== 'same' && <span className="hidden">{text.compare[line.kind]}</span>}
            <span>{line.text || ' '}</span>
          </div>
        ))}
      </div>
    </figure>
  );
}
