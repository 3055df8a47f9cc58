import { text } from '../../text/text';

export function Events() {
  return (
    <div className="page">
      <div className="head">
        <h1>{text.pages.events}</h1>
      </div>
    </div>
  );
}
