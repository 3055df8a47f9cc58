import type { ExplainedUser, OccurrenceDetail } from '@carillon/client';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useRead } from '../../../api/read';
import { Problem } from '../../../components/problem';
import { Rows } from '../../../components/skeleton';
import { text } from '../../../text/text';
import { AskUser } from '../ask-user';
import { Explanation } from './explanation';

const route = getRouteApi('/o/$org/occurrences/$occurrence');

/** "Why did Ann (not) get it?" The user is in the address, so that other pages can link to the answer. */
export function Why({ org, occurrence }: { org: string; occurrence: OccurrenceDetail }) {
  const filters = route.useSearch();
  const navigate = useNavigate();
  const { user } = filters;
  const ask = (username: string) =>
    void navigate({ to: '.', search: { ...filters, user: username }, resetScroll: false });
  return (
    <section className="card why" aria-labelledby="why">
      <h2 id="why">{text.why.title}</h2>
      <AskUser org={org} asked={user ?? ''} ask={ask} label={text.why.ask} isPrimary />
      {user && <Answer org={org} occurrence={occurrence} user={user} />}
    </section>
  );
}

function Answer({ org, occurrence, user }: { org: string; occurrence: OccurrenceDetail; user: string }) {
  const input = { path: { org, occurrence: occurrence.id }, query: { user } };
  const { data, error, refetch } = useRead('/api/o/{org}/occurrences/{occurrence}/explain/', input, {
    poll: !occurrence.done,
  });
  if (error) return <Problem error={error} again={() => void refetch()} />;
  if (!data) return <Rows count={4} />;
  return <Explanation org={org} occurrence={occurrence} person={data as ExplainedUser} />;
}
