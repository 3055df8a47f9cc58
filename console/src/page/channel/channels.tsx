import { text } from '../../text/text';

export function Channels() {
  return (
    <div className="page">
      <div className="head">
        <h1>{text.pages.channels}</h1>
      </div>
    </div>
  );
}
