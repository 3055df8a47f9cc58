import type { ExplainedUser } from '@carillon/client';
import { useQuery } from '@tanstack/react-query';
import { carillon } from '../../api/carillon';
import { localTimes } from '../../components/local-times';
import { Problem } from '../../components/problem';
import { text } from '../../text/text';

const AGAIN_MS = 1_000;

interface Props {
  org: string;
  occurrence: string;
  user: string;
  /** What each outcome is called; left out: to somebody who has sent it to themselves. */
  outcomes?: Record<ExplainedUser['outcome'], string>;
}

/** What became of a trigger for one user. It is asked again until it is decided. */
export function BecameOf({ org, occurrence, user, outcomes = text.rule.send.outcomes }: Props) {
  const { data, error } = useQuery({
    queryKey: ['became-of', org, occurrence, user],
    queryFn: async ({ signal }) => {
      const path = { org, occurrence };
      const { done } = await carillon.get('/api/o/{org}/occurrences/{occurrence}/', { path, signal });
      const input = { path, query: { user }, signal };
      const explained = await carillon.get('/api/o/{org}/occurrences/{occurrence}/explain/', input);
      return { ...(explained as ExplainedUser), isDone: done };
    },
    refetchInterval: ({ state }) => (state.data?.isDone ? false : AGAIN_MS),
  });
  if (error) return <Problem error={error} />;
  if (!data || (!data.isDone && data.outcome === 'not_sent')) return <p className="soft">{text.rule.send.finding}</p>;
  const tone = data.outcome === 'sent' ? 'good' : data.outcome === 'waiting' ? '' : 'warn';
  return (
    <p className={`note ${tone}`}>
      <strong>{outcomes[data.outcome]}</strong> {localTimes(data.sentence)}
    </p>
  );
}
