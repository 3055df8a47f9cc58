import { text } from '../../text/text';

export function Occurrence() {
  return (
    <div className="page">
      <div className="head">
        <h1>{text.pages.occurrences}</h1>
      </div>
    </div>
  );
}
