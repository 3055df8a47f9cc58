import type { SendingOccurrence } from '@carillon/client';
import { Link } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { usePathName } from '../../api/names';
import { useCan } from '../../api/session';
import { lazily } from '../../components/lazily';
import { PathName } from '../../components/links';
import { Time } from '../../components/time';
import { sendingTarget } from '../../shell/stop/stop-target';
import { formatNumber } from '../../text/format';
import { text } from '../../text/text';

const StopDialog = lazily(() => import('../../shell/stop/stop-dialog'), 'StopDialog');

/** Counts of one occurrence stop here. */
const MAX_OF_OCCURRENCE = 10_000;

const many = (count: number) => formatNumber(count) + (count >= MAX_OF_OCCURRENCE ? '+' : '');

/** What is being sent right now, with how far it is and the control that stops it. */
export function SendingNow({ org, sending }: { org: string; sending: SendingOccurrence[] }) {
  const mayStop = useCan()('occurrence:write');
  const [stopped, setStopped] = useState<SendingOccurrence | null>(null);
  return (
    <section className="card stack" aria-labelledby="sending">
      <h2 id="sending">{text.now.sending}</h2>
      <ul className="sending">
        {sending.map((one) => {
          const event = `${one.project}/${one.application}/${one.event}`;
          return (
            <li key={one.occurrence}>
              <span className="sending-name">
                <Link to="/o/$org/occurrences/$occurrence" params={{ org, occurrence: one.occurrence }} search={{}}>
                  <PathName org={org} path={event} />
                </Link>{' '}
                <span className="soft">
                  {text.now.triggeredAt} <Time at={one.created_at} />
                </span>
              </span>
              <div className="bar" aria-hidden="true">
                <span
                  className="sent"
                  style={{ width: `${(one.sent / Math.max(1, one.sent + one.waiting)) * 100}%` }}
                />
                <span className="pending" style={{ flex: 1 }} />
              </div>
              <span>
                {text.now.sentAndLeft(many(one.sent), many(one.waiting))}
                {one.status !== 'expanded' && <span className="soft">, {text.now.moreFollow}</span>}
              </span>
              {mayStop && <StopButton {...{ org, event }} open={() => setStopped(one)} />}
            </li>
          );
        })}
      </ul>
      <Suspense>
        {stopped && <StopDialog org={org} first={sendingTarget(stopped)} close={() => setStopped(null)} />}
      </Suspense>
    </section>
  );
}

function StopButton({ org, event, open }: { org: string; event: string; open: () => void }) {
  const name = usePathName(org, event);
  return (
    <button className="button small danger" aria-haspopup="dialog" aria-label={text.now.stopTitle(name)} onClick={open}>
      {text.now.stop}
    </button>
  );
}
