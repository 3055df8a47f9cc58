import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { EventLink } from '../../components/links';
import { localTimes } from '../../components/local-times';
import { Time } from '../../components/time';
import { text } from '../../text/text';
import { AgainButton } from '../occurrence/again/again-button';

interface Item {
  occurrence: string;
  project: string;
  application: string;
  event: string;
  sentence: string;
  triggered_at: string;
}

interface HistoryEntryProps {
  org: string;
  username: string;
  item: Item;
  title: string;
  isQuiet?: boolean;
  /** The notification that can be sent again; left out: all of them. */
  notification?: string;
  children?: ReactNode;
}

/** What a user was sent or not sent: the notification, the event, more about it, and the sentence. */
export function HistoryEntry({
  org,
  username,
  item,
  title,
  isQuiet = false,
  notification,
  children,
}: HistoryEntryProps) {
  return (
    <div className="person-delivery">
      <span className="place">
        <Link
          to="/o/$org/occurrences/$occurrence"
          params={{ org, occurrence: item.occurrence }}
          search={{ user: username }}
          title={text.person.openOccurrence}
        >
          {title}
        </Link>
        <span className="soft">
          <EventLink org={org} place={item} />
          {children}
        </span>
      </span>
      <span className={isQuiet ? 'soft' : undefined}>{localTimes(item.sentence)}</span>
      <span>
        <AgainButton org={org} place={item} username={username} notification={notification} about={title} />
      </span>
    </div>
  );
}

export const WHEN = {
  name: text.person.when,
  kind: 'narrow' as const,
  cell: ({ triggered_at }: Pick<Item, 'triggered_at'>) => <Time at={triggered_at} />,
};
