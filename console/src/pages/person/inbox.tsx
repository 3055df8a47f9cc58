import type { InboxMessage } from '@carillon/client';
import { useState } from 'react';
import { useList } from '../../api/read';
import { Badge } from '../../components/badge';
import { MoreMenu } from '../../components/more-menu';
import { Empty } from '../../components/empty';
import { MessageFrame } from '../../components/message-frame';
import { Table } from '../../components/table';
import { Time } from '../../components/time';
import { text } from '../../text/text';

/** The in-app messages of a user, as the user has them. Looking at one here does not mark it as read. */
export function Inbox({ org, username }: { org: string; username: string }) {
  const [open, setOpen] = useState<number | null>(null);
  const list = useList('/api/o/{org}/u/{username}/inbox/', { path: { org, username } }, { poll: true });
  return (
    <section className="stack" aria-label={text.person.inbox}>
      <div className="row">
        <MoreMenu
          live={list.error ? 'lost' : 'polled'}
          call={{ path: `/api/o/${org}/u/${encodeURIComponent(username)}/inbox/?limit=50` }}
        />
      </div>
      <Table
        label={text.person.inbox}
        list={list}
        keyOf={({ id }) => id}
        columns={[
          {
            name: text.person.message,
            kind: 'main',
            cell: (message) => (
              <Message
                message={message}
                isOpen={open === message.id}
                turn={() => setOpen(open === message.id ? null : message.id)}
              />
            ),
          },
          {
            name: text.person.state,
            kind: 'narrow',
            cell: ({ read_at }) =>
              read_at ? <Badge>{text.person.read}</Badge> : <Badge tone="accent">{text.person.unread}</Badge>,
          },
          { name: text.person.when, kind: 'narrow', cell: ({ created_at }) => <Time at={created_at} /> },
        ]}
        empty={<Empty title={text.person.noInbox}>{text.person.noInboxHint}</Empty>}
      />
    </section>
  );
}

function Message({ message, isOpen, turn }: { message: InboxMessage; isOpen: boolean; turn: () => void }) {
  const { subject, text: plain, html } = message;
  return (
    <div className="stack person-message">
      <button className="link" aria-expanded={isOpen} onClick={turn}>
        {subject || plain.slice(0, 80) || text.person.noSubject}
      </button>
      {isOpen && (html ? <MessageFrame html={html} /> : <p className="person-text">{plain}</p>)}
    </div>
  );
}
