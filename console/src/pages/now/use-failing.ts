import type { ChannelHealth, WaitingForChannel } from '@carillon/client';
import { useQueries } from '@tanstack/react-query';
import { POLL_MS, useRead } from '../../api/read';
import { useCan } from '../../api/session';
import { waitingQuery } from '../channel/calls';

export interface Failing {
  health: ChannelHealth;
  waiting: WaitingForChannel | undefined;
}

/** More are on the page of channels. */
const ASKED = 10;

/**
 * The channels whose provider fails: those that are paused, and those for which messages wait. Undefined: not known yet, or the session may
 * not read it.
 */
export function useFailing(org: string): Failing[] | undefined {
  const can = useCan();
  const enabled = can('organization:read');
  const input = { path: { org }, query: { limit: 1000 } };
  const { data } = useRead('/api/o/{org}/channel-health/', input, { poll: true, enabled });
  const asked = (data ?? []).filter(({ enabled, state }) => enabled && state !== 'ok').slice(0, ASKED);
  const answers = useQueries({
    queries: asked.map(({ project, channel }) => ({
      ...waitingQuery({ org, prj: project, slug: channel }),
      refetchInterval: POLL_MS,
    })),
  });
  const isKnown = answers.every(({ isPending }) => !isPending);
  return data && isKnown
    ? asked
        .map((health, i) => ({ health, waiting: answers[i]!.data }))
        .filter(({ health, waiting }) => health.state === 'resting' || (waiting && waiting.waiting > 0))
    : undefined;
}
