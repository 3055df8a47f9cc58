import { text } from '../../text/text';

export function People() {
  return (
    <div className="page">
      <div className="head">
        <h1>{text.pages.people}</h1>
      </div>
    </div>
  );
}
