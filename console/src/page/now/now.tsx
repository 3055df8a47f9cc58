import { text } from '../../text/text';

export function Now() {
  return (
    <div className="page">
      <div className="head">
        <h1>{text.pages.now}</h1>
      </div>
    </div>
  );
}
