import type { SimulatedMessage, Simulation as Simulated } from '@carillon/client';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Badge } from '../../../components/badge';
import { localTimes } from '../../../components/local-times';
import { text } from '../../../text/text';
import { useChannelNames } from '../../channel/use-channels';
import type { EventPlace } from '../../event/place';
import type { ChannelName } from '../parts';
import { Message } from '../preview/preview';
import { Ends } from './ends';
import { laterMessages } from './later-messages';
import { TimeLine } from './time-line';

interface Props {
  place: EventPlace;
  result: Simulated;
  /** The rule's name in the simulation. */
  name: string;
  /** False: it was the published rule. */
  isOfEdits: boolean;
  /** The rule was edited since. */
  isStale: boolean;
}

/** How many would get the rule, who would not and why, and the first messages. */
export function Simulation({ place, result, name, isOfEdits, isStale }: Props) {
  const { org, prj } = place;
  const nameOf = useChannelNames(org, prj);
  const rule = result.rules.find(({ notification }) => notification === name);
  const messages = result.messages.filter(({ notification }) => notification === name);
  const own = result.warnings.filter(({ notification }) => notification === null || notification === name);
  // Several channels may have the same one.
  const warnings = [...new Set(own.map(({ detail }) => detail))];
  const send = (rule?.channels ?? [])
    .filter(({ verdict }) => verdict !== 'later')
    .reduce((sum, channel) => sum + channel.send, 0);
  const line = result.time_line.filter(({ notification }) => notification === name);
  const later = laterMessages(result, name);
  const others = result.totals.messages - send;
  return (
    <>
      <p className="simulation-sum">
        <strong>
          {line.length > 0 ? text.rule.simulation.sumOfFirst(send, later) : text.rule.simulation.sum(send)}
        </strong>{' '}
        {others > 0 && <span className="soft">{text.rule.simulation.others(others)}</span>}
      </p>
      {isStale ? (
        <p className="note warn">{text.rule.simulation.stale}</p>
      ) : (
        isOfEdits && <p className="note">{text.rule.simulation.edited}</p>
      )}
      {rule && rule.verdict !== 'matched' && (
        <p className="note warn">{rule.reason ?? text.rule.simulation[rule.verdict]}</p>
      )}
      {warnings.length > 0 && (
        <ul className="note warn">
          {warnings.map((detail) => (
            <li key={detail}>{localTimes(detail)}</li>
          ))}
        </ul>
      )}
      <ul className="simulation-gates">
        {rule?.channels.map((channel) => (
          <li key={channel.channel} className="row">
            <strong>{channel.channel && nameOf(channel.channel)}</strong>
            <Badge tone="good">{text.rule.simulation.sends(channel.send, channel.per)}</Badge>
            {Object.entries(channel.gates).map(([gate, count]) => (
              <Badge key={gate} tone="warn">
                {text.rule.simulation.gate(gate.replaceAll('_', ' '), count)}
              </Badge>
            ))}
            {channel.verdict !== 'open' && <Badge tone="warn">{channel.verdict.replaceAll('_', ' ')}</Badge>}
          </li>
        ))}
      </ul>
      <TimeLine line={line} />
      <Ends place={place} ends={result.ends} />
      {messages.length > 0 && (
        <ol className="samples" aria-label={text.rule.simulation.samples}>
          {messages.map((message) => (
            <SampleMessage key={`${message.channel}/${message.user}`} {...{ org, message, nameOf }} />
          ))}
        </ol>
      )}
    </>
  );
}

const waitsText = (waitsFor: NonNullable<SimulatedMessage['waits_for']>, { frequency }: SimulatedMessage): string =>
  frequency ? text.rule.simulation.frequencies[frequency] : text.rule.simulation.waits[waitsFor];

interface SampleProps {
  org: string;
  message: SimulatedMessage;
  nameOf: ChannelName;
}

function SampleMessage({ org, message, nameOf }: SampleProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <li>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <span className="sample-to">{message.user ?? text.rule.simulation.room}</span>
          <span className="soft">{nameOf(message.channel)}</span>
          <span className="sample-line">{message.subject || message.text}</span>
          {message.problem && <Badge tone="bad">{text.rule.simulation.problem}</Badge>}
          {message.waits_for && <Badge tone="accent">{waitsText(message.waits_for, message)}</Badge>}
        </summary>
        {isOpen && (
          <div className="stack sample-message">
            {message.user && (
              <Link to="/o/$org/people/$username" params={{ org, username: message.user }}>
                {message.user}
              </Link>
            )}
            {message.problem && <p className="note bad">{message.problem}</p>}
            <Message {...message} />
          </div>
        )}
      </details>
    </li>
  );
}
