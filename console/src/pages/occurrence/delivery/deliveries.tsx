import type { Delivery, OccurrenceDetail } from '@carillon/client';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useList } from '../../../api/read';
import { Status } from '../../../components/badge';
import { Empty } from '../../../components/empty';
import { ChannelLink, PersonLink } from '../../../components/links';
import { Table } from '../../../components/table';
import { useMask } from '../../../components/use-mask';
import { text } from '../../../text/text';
import { DeliveryDialog } from './delivery-dialog';

const route = getRouteApi('/o/$org/occurrences/$occurrence');
const STATUSES = ['pending', 'sent', 'skipped', 'dead'] as const;

/** The deliveries, with a filter of their status in the address. */
export function Deliveries({ org, occurrence }: { org: string; occurrence: OccurrenceDetail }) {
  const filters = route.useSearch();
  const navigate = useNavigate();
  const status = STATUSES.find((each) => each === filters.status);
  const path = { org, occurrence: occurrence.id };
  const list = useList('/api/o/{org}/occurrences/{occurrence}/deliveries/', { path, query: { status } });
  const [shown, setShown] = useState<number | null>(null);
  const show = (next: string | undefined) =>
    void navigate({ to: '.', search: { ...filters, status: next }, replace: true, resetScroll: false });
  return (
    <section className="stack" aria-labelledby="deliveries">
      <div className="row">
        <h2 id="deliveries">{text.delivery.label}</h2>
        <div className="delivery-choices" role="group" aria-label={text.delivery.status}>
          {[undefined, ...STATUSES].map((each) => (
            <button key={each ?? ''} className="button small" aria-pressed={each === status} onClick={() => show(each)}>
              {each ? text.delivery.statuses[each] : text.delivery.all}
            </button>
          ))}
        </div>
      </div>
      <Table
        label={text.delivery.label}
        list={list}
        columns={columnsOf(org, occurrence.project, setShown)}
        keyOf={({ id }) => id}
        empty={
          <Empty title={status ? text.delivery.none : text.delivery.empty}>{!status && text.delivery.emptyHint}</Empty>
        }
      />
      {shown !== null && <DeliveryDialog org={org} occurrence={occurrence} id={shown} close={() => setShown(null)} />}
    </section>
  );
}

const columnsOf = (org: string, project: string, show: (id: number) => void) => [
  {
    name: text.delivery.person,
    cell: ({ user, per }: Delivery) =>
      user ? (
        <PersonLink org={org} username={user} />
      ) : (
        <span className="soft">{per === 'room' ? text.delivery.room : text.delivery.gone}</span>
      ),
  },
  { name: text.delivery.rule, cell: ({ notification }: Delivery) => notification },
  {
    name: text.delivery.channel,
    cell: ({ channel }: Delivery) => <ChannelLink org={org} project={project} slug={channel} />,
  },
  { name: text.delivery.status, kind: 'narrow' as const, cell: ({ status }: Delivery) => <Status status={status} /> },
  { name: text.delivery.why, cell: (delivery: Delivery) => <Why delivery={delivery} /> },
  {
    name: text.delivery.attempts,
    kind: 'narrow' as const,
    cell: ({ id, attempts }: Delivery) => (
      <button className="button small" onClick={() => show(id)} aria-haspopup="dialog">
        {attempts.length > 0 ? triedOf(attempts) : text.delivery.details}
      </button>
    ),
  },
];

/** A message that a step repeated was sent more than once: each time is an attempt that the provider accepted. */
function triedOf(attempts: Delivery['attempts']): string {
  const sent = attempts.filter(({ outcome }) => outcome === 'sent').length;
  return sent > 1 ? text.delivery.sentTimes(sent) : text.delivery.attempt(attempts.length);
}

/** The gate, what it waits for, the reason, what the provider reported, or its last answer. */
function Why({ delivery }: { delivery: Delivery }) {
  const mask = useMask();
  const { gate, reason, waits_for: waitsFor, report, attempts } = delivery;
  if (gate) return <span className="delivery-why">{text.why.gates[gate] ?? gate}</span>;
  if (waitsFor) return <span className="delivery-why">{text.delivery.waitsFor[waitsFor]}</span>;
  if (!reason && report) return <span className="delivery-why">{text.delivery.reported[report]}</span>;
  // Words of the service or of a provider, which are English in every language of the console.
  return (
    <span className="delivery-why" lang="en">
      {mask(reason ?? attempts.at(-1)?.answer ?? '')}
    </span>
  );
}
