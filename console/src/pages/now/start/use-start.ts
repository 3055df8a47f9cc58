import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { carillon } from '../../../api/carillon';
import { POLL_MS, keyOf } from '../../../api/read';
import { useCan } from '../../../api/session';

const OCCURRENCES = '/api/o/{org}/occurrences/';

/** Whoever has triggered so often needs no first steps. Below that, counting what was sent costs little. */
const FEW = 20;
/** Once something was triggered, its message is a matter of seconds. */
const SOON_MS = 2_000;

export interface Triggered {
  /** The newest occurrence. */
  latest: string | undefined;
  /** One of which a message was sent. */
  received: string | undefined;
  isMany: boolean;
}

async function readTriggered(org: string, signal: AbortSignal): Promise<Triggered> {
  const read = async (counts?: '1') => {
    const query = { limit: FEW, counts };
    return (await carillon.page(OCCURRENCES, { path: { org }, query, signal })).items;
  };
  const some = await read();
  const isMany = some.length === FEW;
  const counted = isMany || some.length === 0 ? [] : await read('1');
  return { latest: some[0]?.id, received: counted.find(({ counts }) => counts && counts.sent > 0)?.id, isMany };
}

const isOver = (triggered: Triggered | undefined) => triggered?.isMany || triggered?.received !== undefined;

/** The first steps of an organization: whether to show them, and what was triggered and received so far. */
export function useStart(org: string) {
  const can = useCan();
  const { isHidden, hide, show } = useHidden(org);
  const { data: triggered, error } = useQuery({
    queryKey: [...keyOf(OCCURRENCES), org, 'start'],
    queryFn: ({ signal }) => readTriggered(org, signal),
    refetchInterval: ({ state: { data } }) => !isOver(data) && (data?.latest ? SOON_MS : POLL_MS),
  });
  // Whoever has watched the steps sees the last tick, too.
  const [isWatched, setWatched] = useState(false);
  if (triggered && !isOver(triggered) && !isWatched) setWatched(true);
  const mayShow = can('organization:read') && can('event:list');
  return {
    triggered,
    isReading: !triggered && !error,
    isEmpty: triggered !== undefined && triggered.latest === undefined,
    isShown: mayShow && !isHidden && triggered !== undefined && (isWatched || !isOver(triggered)),
    mayShow,
    hide,
    show,
  };
}

const keyOfHidden = (org: string) => `carillon-start:${org}`;

/** Whether the steps were put away in this browser. */
function useHidden(org: string) {
  const [isHidden, setHidden] = useState(() => localStorage.getItem(keyOfHidden(org)) !== null);
  return {
    isHidden,
    hide() {
      localStorage.setItem(keyOfHidden(org), 'hidden');
      setHidden(true);
    },
    show() {
      localStorage.removeItem(keyOfHidden(org));
      setHidden(false);
    },
  };
}
