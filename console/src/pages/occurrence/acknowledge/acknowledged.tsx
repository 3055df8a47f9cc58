import type { OccurrenceDetail } from '@carillon/client';
import { PersonLink } from '../../../components/links';
import { Time } from '../../../components/time';
import { text } from '../../../text/text';
import { StoppedSteps } from '../step/stopped-steps';

/** Who takes care of it, and what is not sent any more because of that. Nothing once it is over. */
export function Acknowledged({ org, occurrence }: { org: string; occurrence: OccurrenceDetail }) {
  const { steps, status } = occurrence;
  if (!steps?.acknowledgement || steps.resolution || status === 'canceled') return null;
  const { user, at, way, step, note } = steps.acknowledgement;
  const how = [text.acknowledge.ways[way], step === null ? '' : text.acknowledge.step(step)];
  return (
    <div className="note" role="status">
      <strong>
        {text.acknowledge.by} <PersonLink org={org} username={user} /> <Time at={at} />
      </strong>
      <span>
        {how.filter(Boolean).join(', ')}
        {note !== '' && `: ${note}`}
      </span>
      <StoppedSteps org={org} occurrence={occurrence} />
      {steps.open && <span>{text.acknowledge.untilOver}</span>}
    </div>
  );
}
