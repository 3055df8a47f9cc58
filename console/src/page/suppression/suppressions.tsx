import { text } from '../../text/text';

export function Suppressions() {
  return (
    <div className="page">
      <div className="head">
        <h1>{text.pages.suppressions}</h1>
      </div>
    </div>
  );
}
