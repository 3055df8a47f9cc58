import { Link } from '@tanstack/react-router';
import { text } from '../text/text';

export function Nowhere() {
  return (
    <main className="empty">
      <h1>{text.nowhere.title}</h1>
      <p className="soft">{text.nowhere.text}</p>
      <Link to="/" className="button">
        {text.nowhere.back}
      </Link>
    </main>
  );
}
