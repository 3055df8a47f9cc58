import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useRead } from '../../api/read';
import { useCan, useSession } from '../../api/session';
import { Dialog } from '../../form/dialog';
import { text } from '../../text/text';
import { StopForm } from './stop-form';
import { StopWatch } from './stop-watch';
import { mayStop, targetsOf } from './stop-target';
import type { PageParams, StopTarget } from './stop-target';
import { useRunning } from './use-running';
import type { Waiting } from './use-waiting';
import './stop.css';

export interface Stopped {
  target: StopTarget;
  /** What was sent when the button was pressed. */
  before: Waiting | undefined;
}

interface Props {
  org: string;
  /** What to offer before all others. */
  first?: StopTarget;
  close: () => void;
}

/** First what to stop and what that means; then what becomes of it. */
export function StopDialog({ org, first, close }: Props) {
  const others = useOffered(org);
  const offered = others && first ? [first, ...others.filter(({ path }) => path !== first.path)] : others;
  const [stopped, setStopped] = useState<Stopped | null>(null);
  return (
    <Dialog title={text.stop.title} open onClose={close}>
      {!stopped && offered && <StopForm org={org} offered={offered} close={close} stopped={setStopped} />}
      {stopped && <StopWatch org={org} {...stopped} close={close} />}
    </Dialog>
  );
}

/**
 * What fits the page; on a page without such a thing, what sends right now. Undefined until it is known which event the shown occurrence
 * belongs to, or what sends.
 */
function useOffered(org: string): StopTarget[] | undefined {
  const params: PageParams = useParams({ strict: false });
  const can = useCan();
  const session = useSession();
  const { occurrence = '' } = params;
  const { data, isPending } = useRead(
    '/api/o/{org}/occurrences/{occurrence}/',
    { path: { org, occurrence } },
    { enabled: occurrence !== '' },
  );
  const isOfPage = targetsOf(params, undefined).length > 0;
  const running = useRunning(org, !isOfPage);
  if (!isOfPage) return running;
  if (occurrence && isPending) return undefined;
  const place = data && `${data.project}/${data.application}/${data.event}`;
  // An occurrence that is finished, or does not exist, cannot be stopped.
  const shown = data && !data.done ? params : { ...params, occurrence: undefined };
  return targetsOf(shown, place).filter((target) => mayStop(target, can, session));
}
