import { useEffect, useRef, useState } from 'react';
import { switchCall, useSetSwitch } from '../../api/switches';
import type { SwitchChange } from '../../api/switches';
import { curlOf } from '../../api/curl';
import { Problem } from '../../components/problem';
import { formatNumber } from '../../text/format';
import { text } from '../../text/text';
import type { Stopped } from './stop-dialog';
import { TargetName } from './target-name';
import { useWaiting } from './use-waiting';
import type { Waiting } from './use-waiting';

/** After this time without a message, it has stopped. The service promises two seconds. */
const QUIET_S = 3;

/** Watches the number fall, and offers the way back. */
export function StopWatch({ org, target, before, close }: Stopped & { org: string; close: () => void }) {
  const { data, error } = useWaiting(org, target, true);
  const sent = sentSince(data, before);
  const quiet = useSecondsWithout(sent);
  const isOccurrence = target.kind === 'occurrence';
  const isEmpty = data?.pending === 0 && data.unresolved === 0;
  const state = isEmpty ? text.stop.allStopped : quiet < QUIET_S ? text.stop.falls : text.stop.quiet(quiet);
  return (
    <div className="stack">
      <p>
        <strong>{isOccurrence ? text.stop.done.occurrence : text.stop.done.switch}:</strong>{' '}
        <TargetName {...{ org, target }} />
      </p>
      {error && <Problem error={error} />}
      <dl className="watch">
        <div>
          <dt>{text.stop.stillWaiting}</dt>
          <dd className="figure">{data ? formatNumber(data.pending) : '…'}</dd>
        </div>
        <div>
          <dt>{text.stop.sentSince}</dt>
          <dd className="figure">{formatNumber(sent)}</dd>
        </div>
      </dl>
      <p role="status" className={isEmpty || quiet >= QUIET_S ? 'note good' : 'note'}>
        {state}
      </p>
      {target.kind === 'occurrence' ? (
        <CloseButton close={close} />
      ) : (
        <WayBack org={org} change={{ kind: target.kind, path: target.path, enabled: true }} close={close} />
      )}
    </div>
  );
}

/** Ends the pause from here, and says how to do it later. */
function WayBack({ org, change, close }: { org: string; change: SwitchChange; close: () => void }) {
  const setSwitch = useSetSwitch(org);
  const call = switchCall(org, change);
  if (setSwitch.isSuccess)
    return (
      <>
        <p className="note good" role="status">
          {text.stop.isOn}
        </p>
        <CloseButton close={close} />
      </>
    );
  return (
    <>
      <p>{text.stop.kept}</p>
      <p className="soft">{text.stop.later}</p>
      {call && (
        <pre className="curl" tabIndex={0}>
          {curlOf(call)}
        </pre>
      )}
      {setSwitch.error && <Problem error={setSwitch.error} />}
      <div className="actions">
        <button className="button" disabled={setSwitch.isPending} onClick={() => setSwitch.mutate(change)}>
          {text.stop.onAgain}
        </button>
        <button className="button primary" onClick={close} autoFocus>
          {text.stop.close}
        </button>
      </div>
    </>
  );
}

function CloseButton({ close }: { close: () => void }) {
  return (
    <div className="actions">
      <button className="button primary" onClick={close} autoFocus>
        {text.stop.close}
      </button>
    </div>
  );
}

/** Of the occurrences that were there when the button was pressed. */
function sentSince(now: Waiting | undefined, before: Waiting | undefined): number {
  if (!now || !before) return 0;
  return [...before.sent].reduce((sum, [id, sent]) => sum + Math.max(0, (now.sent.get(id) ?? sent) - sent), 0);
}

/** How long the number has stayed the same. */
function useSecondsWithout(count: number): number {
  const since = useRef(Date.now());
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    since.current = Date.now();
    setSeconds(0);
    const timer = setInterval(() => setSeconds(Math.floor((Date.now() - since.current) / 1000)), 1000);
    return () => clearInterval(timer);
  }, [count]);
  return seconds;
}
