import { Link } from '@tanstack/react-router';
import { useCan } from '../api/session';
import { text } from '../text/text';

/** The next step of whoever waits for something to be triggered. */
export function ToEvents({ org }: { org: string }) {
  if (!useCan()('event:list')) return null;
  return (
    <Link to="/o/$org/events" params={{ org }} search={{}} className="button primary">
      {text.occurrences.toEvents}
    </Link>
  );
}
