import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { FormEvent } from 'react';
import { carillon } from '../../api/carillon';
import { queryClient } from '../../api/query-client';
import { useSetSwitch } from '../../api/switches';
import { Problem } from '../../components/problem';
import { text } from '../../text/text';
import { targetOf, valueOf } from './stop-target';
import type { StopTarget } from './stop-target';
import type { Stopped } from './stop-dialog';
import { TargetChoice } from './target-choice';
import { useIsOn } from './use-is-on';
import { useWaiting } from './use-waiting';
import { WaitingFigure } from './waiting-figure';

interface Props {
  org: string;
  offered: StopTarget[];
  close: () => void;
  stopped: (stopped: Stopped) => void;
}

/** What to stop, how many messages that concerns, and what it means. Enter stops. */
export function StopForm({ org, offered, close, stopped }: Props) {
  const [value, setValue] = useState(offered[0] ? valueOf(offered[0]) : '');
  const target = offered.find((one) => valueOf(one) === value) ?? targetOf(value);
  const waiting = useWaiting(org, target, true);
  const isOff = useIsOn(org, target) === false;
  const stop = useStop(org);
  function submit(event: FormEvent) {
    event.preventDefault();
    if (!target || isOff || stop.isPending) return;
    stop.mutate(target, { onSuccess: () => stopped({ target, before: waiting.data }) });
  }
  const isSwitch = target?.kind !== 'occurrence';
  return (
    <form className="form" onSubmit={submit}>
      <TargetChoice org={org} offered={offered} value={value} choose={setValue} />
      {target && (
        <>
          <WaitingFigure waiting={waiting.data} error={waiting.error} isSample={isSwitch} />
          <p>{isOff ? text.stop.isOff : text.stop.effect[target.kind]}</p>
          <p className="soft">{text.stop.audited}</p>
        </>
      )}
      {stop.error && <Problem error={stop.error} />}
      <div className="actions">
        <button type="button" className="button" onClick={close}>
          {text.stop.close}
        </button>
        <button className="button danger" disabled={!target || isOff || stop.isPending}>
          {stop.isPending ? text.stop.doing : isSwitch ? text.stop.do.switch : text.stop.do.occurrence}
        </button>
      </div>
    </form>
  );
}

function useStop(org: string) {
  const setSwitch = useSetSwitch(org);
  return useMutation({
    mutationFn: async ({ kind, path }: StopTarget) => {
      if (kind !== 'occurrence') return setSwitch.mutateAsync({ kind, path, enabled: false });
      await carillon.post('/api/o/{org}/occurrences/{occurrence}/cancel/', { path: { org, occurrence: path } });
      await queryClient.invalidateQueries();
    },
  });
}
