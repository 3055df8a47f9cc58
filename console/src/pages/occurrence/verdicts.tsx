import type { OccurrenceDetail, Rule } from '@carillon/client';
import { useRead } from '../../api/read';
import { Badge } from '../../components/badge';
import type { Tone } from '../../components/badge';
import { ChannelLink } from '../../components/links';
import { localTimes } from '../../components/local-times';
import { formatNumber } from '../../text/format';
import { text } from '../../text/text';

const TONES: Record<Rule['verdict'], Tone> = { matched: 'good', filtered: 'idle', disabled: 'idle', failed: 'bad' };
const COUNTS = ['sent', 'pending', 'skipped', 'dead'] as const;

/** The verdict on each rule, why, and the numbers of each of its channels. */
export function Verdicts({ org, occurrence }: { org: string; occurrence: OccurrenceDetail }) {
  const path = { org, occurrence: occurrence.id };
  const { data } = useRead('/api/o/{org}/occurrences/{occurrence}/explain/', { path });
  const sentenceOf = (name: string) => data?.rules.find(({ notification }) => notification === name)?.sentence;
  return (
    <section className="stack" aria-labelledby="verdicts">
      <h2 id="verdicts">{text.occurrence.verdicts}</h2>
      {occurrence.rules.length === 0 && <p className="soft">{text.occurrence.noRules}</p>}
      <div className="verdicts">
        {occurrence.rules.map((rule) => (
          <article key={rule.notification} className="card verdict">
            <h3 className="row">
              {rule.notification}
              <Badge tone={TONES[rule.verdict]}>{text.occurrence.ruleVerdicts[rule.verdict]}</Badge>
            </h3>
            <p className="soft">{localTimes(rule.reason ?? sentenceOf(rule.notification) ?? '')}</p>
            {rule.verdict === 'matched' && <Channels org={org} occurrence={occurrence} rule={rule} />}
          </article>
        ))}
      </div>
    </section>
  );
}

function Channels({ org, occurrence, rule }: { org: string; occurrence: OccurrenceDetail; rule: Rule }) {
  const isOver = occurrence.resolutions.some(({ notification }) => notification === rule.notification);
  const said = (verdict: keyof typeof text.occurrence.channelVerdicts, total: number) =>
    verdict === 'later' && isOver && total === 0 ? text.occurrence.notNeeded : text.occurrence.channelVerdicts[verdict];
  return (
    <ul className="verdict-channels">
      {rule.channels.map(({ channel, verdict, counts }) => (
        <li key={channel}>
          <ChannelLink org={org} project={occurrence.project} slug={channel} />
          <span className="soft">{said(verdict, counts.total)}</span>
          <span className="verdict-counts">
            {COUNTS.filter((name) => counts[name] > 0).map((name) => (
              <span key={name} className={name}>
                {formatNumber(counts[name])} {text.occurrence.counts[name].toLowerCase()}
              </span>
            ))}
          </span>
        </li>
      ))}
    </ul>
  );
}
