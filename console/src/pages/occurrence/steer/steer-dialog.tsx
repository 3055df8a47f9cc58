import { useMutation } from '@tanstack/react-query';
import { carillon } from '../../../api/carillon';
import { CopyCurl } from '../../../components/curl';
import { Dialog } from '../../../form/dialog';
import { Problem } from '../../../components/problem';
import { text } from '../../../text/text';
import type { Offer, Outcome, Verb } from './steer-offer';
import { refreshOccurrence } from '../use-occurrence';

interface Props {
  org: string;
  occurrence: string;
  offer: Offer;
  close: () => void;
  done: (outcome: Outcome) => void;
}

async function steer(verb: Verb, path: { org: string; occurrence: string }): Promise<Outcome> {
  if (verb === 'approve') {
    await carillon.post('/api/o/{org}/occurrences/{occurrence}/approve/', { path });
    return { text: text.steer.approved };
  }
  if (verb === 'cancel') {
    await carillon.post('/api/o/{org}/occurrences/{occurrence}/cancel/', { path });
    return { text: text.steer.canceled };
  }
  if (verb === 'retry') {
    const { retrying } = await carillon.post('/api/o/{org}/occurrences/{occurrence}/retry/', { path });
    return { text: retrying > 0 ? text.steer.retried(retrying) : text.steer.resumed };
  }
  const { occurrence } = await carillon.post('/api/o/{org}/occurrences/{occurrence}/replay/', { path });
  return { text: text.steer.replayed, occurrence };
}

/** Says what will happen, does it, and keeps an error in view. */
export function SteerDialog({ org, occurrence, offer, close, done }: Props) {
  const { verb, title, consequence, label, isDanger } = offer;
  const act = useMutation({
    mutationFn: () => steer(verb, { org, occurrence }),
    onSuccess: async (outcome) => {
      await refreshOccurrence();
      done(outcome);
    },
  });
  return (
    <Dialog title={title} open onClose={close}>
      <p>{consequence}</p>
      {act.error && <Problem error={act.error} />}
      <div className="actions">
        <CopyCurl call={{ method: 'POST', path: `/api/o/${org}/occurrences/${occurrence}/${verb}/` }} />
        <button className="button" onClick={close}>
          {text.steer.keep}
        </button>
        <button
          className={isDanger ? 'button danger' : 'button primary'}
          disabled={act.isPending}
          onClick={() => act.mutate()}
        >
          {act.isPending ? text.steer.doing : label}
        </button>
      </div>
    </Dialog>
  );
}
