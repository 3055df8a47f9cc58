import type { ExplainedChannel, ExplainedUser, ExplainedRule, OccurrenceDetail } from '@carillon/client';
import { Badge } from '../../../components/badge';
import { ChannelLink, PersonLink } from '../../../components/links';
import { localTimes } from '../../../components/local-times';
import { text } from '../../../text/text';
import { AgainButton } from '../again/again-button';
import { Deciding } from './deciding';
import { STAGES, decidingStage } from './stages';

const TONES = { sent: 'good', waiting: 'accent', dead: 'bad', not_sent: 'idle' } as const;

interface Props {
  org: string;
  occurrence: OccurrenceDetail;
  person: ExplainedUser;
}

/** The sentence; then, for each rule and channel, the gates in order and the setting that decides. */
export function Explanation({ org, occurrence, person }: Props) {
  return (
    <div className="stack explanation">
      <div className="answer" data-outcome={person.outcome} role="status">
        <span className="row">
          <PersonLink org={org} username={person.user} />
          <Badge tone={TONES[person.outcome]}>{text.why.outcomes[person.outcome]}</Badge>
        </span>
        <p className="sentence">{localTimes(person.sentence)}</p>
        {person.gate !== 'no_user' && (
          <p>
            <AgainButton org={org} place={{ ...occurrence, occurrence: occurrence.id }} username={person.user} />
          </p>
        )}
        {person.rules.length === 0 && person.gate && (
          <Deciding
            org={org}
            occurrence={occurrence}
            user={person.user}
            gate={person.gate}
            evidence={{}}
            channel={null}
          />
        )}
      </div>
      {person.rules.map((rule) => (
        <RuleGates key={rule.notification} org={org} occurrence={occurrence} user={person.user} rule={rule} />
      ))}
    </div>
  );
}

interface RuleProps {
  org: string;
  occurrence: OccurrenceDetail;
  user: string;
  rule: ExplainedRule;
}

function RuleGates({ org, occurrence, user, rule }: RuleProps) {
  return (
    <>
      {rule.channels.map((channel, i) => (
        <article key={`${channel.channel} ${i}`} className="gates-card">
          <h3 className="row">
            <span>
              {rule.notification} <span className="soft">{text.why.over}</span>{' '}
              <ChannelLink org={org} project={occurrence.project} slug={channel.channel} />
            </span>
            <Badge tone={TONES[channel.outcome]}>{text.why.outcomes[channel.outcome]}</Badge>
            {channel.evaluated === 'now' && (
              <span className="soft as-of-now" title={text.why.nowHint}>
                {text.why.now}
              </span>
            )}
          </h3>
          <Gates channel={channel} />
          <Deciding org={org} occurrence={occurrence} user={user} {...channel} />
        </article>
      ))}
    </>
  );
}

function Gates({ channel }: { channel: ExplainedChannel }) {
  const decided = decidingStage(channel);
  const at = decided === null ? STAGES.length : STAGES.indexOf(decided);
  return (
    <ol className="gates" data-outcome={channel.outcome}>
      {STAGES.map((stage, i) => {
        const state = i < at ? 'passed' : i === at ? 'stopped' : 'unasked';
        return (
          <li key={stage} data-state={state} aria-current={state === 'stopped' ? 'step' : undefined}>
            <span className="mark">
              <span className="hidden">{text.why[state]}</span>
            </span>
            <span>
              {text.why.stages[stage]}
              {state === 'stopped' && <span className="verdict-line">{localTimes(channel.sentence)}</span>}
            </span>
          </li>
        );
      })}
    </ol>
  );
}
