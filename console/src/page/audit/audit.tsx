import { text } from '../../text/text';

export function Audit() {
  return (
    <div className="page">
      <div className="head">
        <h1>{text.pages.audit}</h1>
      </div>
    </div>
  );
}
