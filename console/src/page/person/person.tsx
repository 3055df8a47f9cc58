import { text } from '../../text/text';

export function Person() {
  return (
    <div className="page">
      <div className="head">
        <h1>{text.pages.people}</h1>
      </div>
    </div>
  );
}
