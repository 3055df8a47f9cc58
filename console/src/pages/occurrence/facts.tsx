import type { OccurrenceDetail } from '@carillon/client';
import { localTimes } from '../../components/local-times';
import { Time } from '../../components/time';
import { text } from '../../text/text';
import { EndedThread } from './resolved';

interface Props {
  org: string;
  occurrence: OccurrenceDetail;
  sentence: string;
}

/** When things happened, and what the service says about it in one sentence. */
export function Facts({ org, occurrence, sentence }: Props) {
  const times = [
    [text.occurrence.triggered, occurrence.created_at],
    [text.occurrence.sendAt, occurrence.send_at],
    [text.occurrence.expiresAt, occurrence.expires_at],
    [text.occurrence.expandedAt, occurrence.expanded_at],
    [text.occurrence.approvedAt, occurrence.approved_at],
    [text.occurrence.canceledAt, occurrence.canceled_at],
    // One that is over or acknowledged is looked at once more, and sends nothing then.
    [
      occurrence.acknowledgements.length > 0 ? text.occurrence.looksAgainAt : text.occurrence.nextStepAt,
      occurrence.resolutions.length > 0 ? null : occurrence.next_step_at,
    ],
  ] as const;
  return (
    <section className="card stack facts-card">
      <h2>{text.occurrence.facts}</h2>
      <p>{localTimes(sentence)}</p>
      {occurrence.problem && (
        <div className="note bad">
          <strong>{text.occurrence.problem}</strong>
          <span>{occurrence.problem}</span>
        </div>
      )}
      {occurrence.warnings.length > 0 && (
        <ul className="note warn">
          {occurrence.warnings.map(({ kind, detail }) => (
            <li key={kind}>{detail}</li>
          ))}
        </ul>
      )}
      <dl className="facts">
        {times.map(
          ([name, at]) =>
            at && (
              <div key={name} className="fact">
                <dt>{name}</dt>
                <dd>
                  <Time at={at} />
                </dd>
              </div>
            ),
        )}
        {occurrence.send_at_local && (
          <div className="fact">
            <dt>{text.occurrence.sendAt}</dt>
            <dd>{text.occurrences.local(occurrence.send_at_local)}</dd>
          </div>
        )}
        {occurrence.ended.length > 0 && (
          <div className="fact">
            <dt>{text.occurrence.ended}</dt>
            <dd>
              {occurrence.ended.map((thread) => (
                <EndedThread key={`${thread.event} ${thread.field}`} org={org} occurrence={occurrence} {...thread} />
              ))}
            </dd>
          </div>
        )}
        <div className="fact">
          <dt>{text.occurrences.id}</dt>
          <dd className="mono">{occurrence.id}</dd>
        </div>
        {occurrence.priority && (
          <div className="fact">
            <dt>{text.occurrence.priority}</dt>
            <dd>{occurrence.priority}</dd>
          </div>
        )}
      </dl>
    </section>
  );
}
