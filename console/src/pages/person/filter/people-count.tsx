import { text } from '../../../text/text';
import type { Counted } from './use-count';

/** How many users there are, and how many of them the filters leave. */
export function PeopleCount({ all, found }: { all: Counted | undefined; found: Counted | undefined }) {
  if (!all) return null;
  const total = all.complete ? text.people.count(all.users) : text.people.moreThan(all.users);
  return (
    <p className="soft" role="status">
      {found
        ? found.complete
          ? text.people.found(found.users, total)
          : text.people.atLeast(found.users, total)
        : total}
    </p>
  );
}
