import { text } from '../../text/text';

export function Lists() {
  return (
    <div className="page">
      <div className="head">
        <h1>{text.pages.lists}</h1>
      </div>
    </div>
  );
}
