import { Link } from '@tanstack/react-router';
import { text } from '../text/text';

export function NotFound() {
  return (
    <main className="empty">
      <h1>{text.notFound.title}</h1>
      <p className="soft">{text.notFound.text}</p>
      <Link to="/" className="button">
        {text.notFound.back}
      </Link>
    </main>
  );
}
