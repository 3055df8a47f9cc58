import { text } from '../../text/text';

export function List() {
  return (
    <div className="page">
      <div className="head">
        <h1>{text.pages.lists}</h1>
      </div>
    </div>
  );
}
