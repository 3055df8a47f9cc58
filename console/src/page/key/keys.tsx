import { text } from '../../text/text';

export function Keys() {
  return (
    <div className="page">
      <div className="head">
        <h1>{text.pages.keys}</h1>
      </div>
    </div>
  );
}
