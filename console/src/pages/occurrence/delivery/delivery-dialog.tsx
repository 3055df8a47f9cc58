import type { DeliveryDetail, OccurrenceDetail } from '@carillon/client';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { carillon } from '../../../api/carillon';
import { useRead } from '../../../api/read';
import { useCan } from '../../../api/session';
import { Status } from '../../../components/badge';
import { CopyCurl } from '../../../components/curl';
import { Dialog } from '../../../form/dialog';
import { PersonLink } from '../../../components/links';
import { MessageFrame } from '../../../components/message-frame';
import { RichFacts } from '../../../components/rich-facts';
import { SenderFacts } from '../../../components/sender';
import { Problem } from '../../../components/problem';
import { Rows } from '../../../components/skeleton';
import { Time } from '../../../components/time';
import { useMask } from '../../../components/use-mask';
import { text } from '../../../text/text';
import { AgainButton } from '../again/again-button';
import { Attempts } from './attempts';
import { Devices } from './devices';
import { Reports } from './reports';
import { refreshOccurrence } from '../use-occurrence';

interface Props {
  org: string;
  occurrence: OccurrenceDetail;
  id: number;
  close: () => void;
}

/** One delivery: each call to the provider with its answer, and the message. */
export function DeliveryDialog({ org, occurrence, id, close }: Props) {
  const can = useCan();
  const path = { org, occurrence: occurrence.id, delivery: id };
  const { data, error, refetch } = useRead('/api/o/{org}/occurrences/{occurrence}/deliveries/{delivery}/', { path });
  const retry = useMutation({
    mutationFn: () => carillon.post('/api/o/{org}/occurrences/{occurrence}/retry/', { path, body: { delivery: id } }),
    onSuccess: async () => {
      await refreshOccurrence();
      await refetch();
    },
  });
  return (
    <Dialog title={text.delivery.title(id)} open onClose={close} wide>
      {error && <Problem error={error} again={() => void refetch()} />}
      {!data && !error && <Rows />}
      {data && <Detail org={org} occurrence={occurrence.id} delivery={data} close={close} />}
      {retry.error && <Problem error={retry.error} />}
      {retry.isSuccess && (
        <p className="note good" role="status">
          {text.delivery.retrying}
        </p>
      )}
      <div className="actions">
        <CopyCurl call={{ path: `/api/o/${org}/occurrences/${occurrence.id}/deliveries/${id}/` }} />
        {data?.status === 'dead' && can('occurrence:write') && (
          <button className="button" disabled={retry.isPending} onClick={() => retry.mutate()}>
            {text.delivery.retry}
          </button>
        )}
        {data?.user && (
          <AgainButton
            org={org}
            place={{ ...occurrence, occurrence: occurrence.id }}
            username={data.user}
            notification={data.notification}
          />
        )}
        <button className="button primary" onClick={close}>
          {text.delivery.close}
        </button>
      </div>
    </Dialog>
  );
}

interface DetailProps {
  org: string;
  occurrence: string;
  delivery: DeliveryDetail;
  close: () => void;
}

function Detail({ org, occurrence, delivery, close }: DetailProps) {
  const {
    user,
    status,
    gate,
    reason,
    carried_by: carrier,
    fallback_of: fallback,
    repeat,
    message,
    attempts,
    reports,
    devices,
  } = delivery;
  const params = { org, occurrence };
  const seesPeople = useCan()('user:read');
  const mask = useMask();
  return (
    <>
      <div className="row">
        {user && <PersonLink org={org} username={user} />}
        <span className="soft">
          {delivery.notification} {text.why.over} {delivery.channel ?? text.links.deletedChannel}
        </span>
        <Status status={status} />
        {user && seesPeople && (
          <Link to="/o/$org/occurrences/$occurrence" params={params} search={{ user }} onClick={close}>
            {text.delivery.explain}
          </Link>
        )}
      </div>
      {(gate || reason) && <p>{reason ? mask(reason) : text.why.gates[gate!]}</p>}
      {status === 'pending' && (
        <p>
          {text.delivery.next}:{' '}
          {isLater(delivery.next_attempt_at) ? <Time at={delivery.next_attempt_at} /> : text.delivery.soon}
          {delivery.waits_for && ` (${text.delivery.waitsFor[delivery.waits_for]})`}
        </p>
      )}
      {repeat > 0 && <p className="soft">{text.delivery.repeated(repeat)}</p>}
      {fallback !== null && <p className="soft">{text.delivery.fallback(fallback)}</p>}
      {carrier && (
        <Link to="/o/$org/occurrences/$occurrence" params={{ org, occurrence: carrier.occurrence }} onClick={close}>
          {text.delivery.carried}
        </Link>
      )}
      <h3>{text.delivery.attempts}</h3>
      <Attempts attempts={attempts} />
      {devices && (
        <>
          <h3>{text.delivery.devices}</h3>
          <Devices devices={devices} />
        </>
      )}
      {reports.length > 0 && (
        <>
          <h3>{text.delivery.reports}</h3>
          <Reports reports={reports} />
        </>
      )}
      <h3>{text.delivery.message}</h3>
      {message && seesPeople ? (
        <Message {...message} />
      ) : (
        <p className="soft">{message ? text.delivery.hiddenMessage : text.delivery.noMessage}</p>
      )}
    </>
  );
}

const isLater = (at: string | null) => at !== null && Date.parse(at) > Date.now();

function Message({ recipient, subject, text: plain, html, ...sender }: NonNullable<DeliveryDetail['message']>) {
  return (
    <div className="stack">
      <dl className="facts">
        <SenderFacts {...sender} />
        {recipient && (
          <div className="fact">
            <dt>{text.delivery.to}</dt>
            <dd>{recipient}</dd>
          </div>
        )}
        {subject && (
          <div className="fact">
            <dt>{text.delivery.subject}</dt>
            <dd>{subject}</dd>
          </div>
        )}
      </dl>
      <RichFacts {...sender} />
      {html ? <MessageFrame html={html} /> : <pre className="json plain-text">{plain}</pre>}
    </div>
  );
}
