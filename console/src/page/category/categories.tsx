import { text } from '../../text/text';

export function Categories() {
  return (
    <div className="page">
      <div className="head">
        <h1>{text.pages.categories}</h1>
      </div>
    </div>
  );
}
