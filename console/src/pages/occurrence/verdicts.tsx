import type { ExplainedTotals, OccurrenceDetail, Rule } from '@carillon/client';
import { Badge } from '../../components/badge';
import type { Tone } from '../../components/badge';
import { ChannelLink } from '../../components/links';
import { localTimes } from '../../components/local-times';
import { formatNumber } from '../../text/format';
import { text } from '../../text/text';

const TONES: Record<Rule['verdict'], Tone> = { matched: 'good', filtered: 'idle', disabled: 'idle', failed: 'bad' };
const COUNTS = ['sent', 'pending', 'skipped', 'dead'] as const;

interface Props {
  org: string;
  occurrence: OccurrenceDetail;
  explained: ExplainedTotals;
}

/** The verdict on each rule, why, and the numbers of each of its channels. */
export function Verdicts({ org, occurrence, explained }: Props) {
  const sentenceOf = (name: string) => explained.rules.find(({ notification }) => notification === name)?.sentence;
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
  const stopped = occurrence.steps?.stopped.filter(
    ({ notification, repeats }) => notification === rule.notification && repeats === 0,
  );
  const said = ({ channel, verdict, counts }: Rule['channels'][number]) => {
    if (verdict !== 'later' || counts.total > 0) return text.occurrence.channelVerdicts[verdict];
    if (isOver) return text.occurrence.notNeeded;
    const isStopped = stopped?.some(({ channels }) => channel !== null && channels.includes(channel));
    return isStopped ? text.occurrence.notNeededAnyMore : text.occurrence.channelVerdicts.later;
  };
  return (
    <ul className="verdict-channels">
      {rule.channels.map((each) => (
        <li key={each.channel}>
          <ChannelLink org={org} project={occurrence.project} slug={each.channel} />
          <span className="soft">{said(each)}</span>
          <span className="verdict-counts">
            {COUNTS.filter((name) => each.counts[name] > 0).map((name) => (
              <span key={name} className={name}>
                {formatNumber(each.counts[name])} {text.occurrence.counts[name].toLowerCase()}
              </span>
            ))}
          </span>
        </li>
      ))}
    </ul>
  );
}
