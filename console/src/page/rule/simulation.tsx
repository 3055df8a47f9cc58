import type { SimulatedMessage, Simulation as Simulated } from '@carillon/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Badge } from '../../part/badge';
import { Problem } from '../../part/problem';
import { text } from '../../text/text';
import type { EventPlace } from '../event/place';
import type { Draft } from './draft';
import { changedParts } from './parts';
import type { RuleTemplate } from './parts';
import { Message } from './preview/preview';
import { previewBody, previewQuery } from './preview/use-preview';

interface Props {
  place: EventPlace;
  result: Simulated;
  draft: Draft;
  context: Record<string, unknown>;
}

const TEMPLATES_ONLY = (draft: Draft) => {
  const { name, templates } = draft.base;
  return changedParts(draft.base, { ...draft.content, name, templates }).length === 0;
};

/** How many would get the rule, who would not and why, and the first messages as edited. */
export function Simulation({ place, result, draft, context }: Props) {
  const rule = result.rules.find(({ notification }) => notification === draft.base.name);
  const messages = result.messages.filter(({ notification }) => notification === draft.base.name);
  const warnings = result.warnings.filter(
    ({ notification }) => notification === null || notification === draft.base.name,
  );
  const send = (rule?.channels ?? []).reduce((sum, channel) => sum + channel.send, 0);
  const others = result.totals.messages - send;
  return (
    <>
      <p className="simulation-sum">
        <strong>{text.rule.simulation.sum(send)}</strong>{' '}
        {others > 0 && <span className="soft">{text.rule.simulation.others(others)}</span>}
      </p>
      {draft.isDirty && (
        <p className={TEMPLATES_ONLY(draft) ? 'note' : 'note warn'}>
          {TEMPLATES_ONLY(draft) ? text.rule.simulation.templatesOnly : text.rule.simulation.savedOnly}
        </p>
      )}
      {rule && rule.verdict !== 'matched' && (
        <p className="note warn">{rule.reason ?? text.rule.simulation[rule.verdict]}</p>
      )}
      {warnings.length > 0 && (
        <ul className="note warn">
          {warnings.map(({ detail }, i) => (
            <li key={i}>{detail}</li>
          ))}
        </ul>
      )}
      <ul className="simulation-gates">
        {rule?.channels.map((channel) => (
          <li key={channel.channel} className="row">
            <strong>{channel.channel}</strong>
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
      {messages.length > 0 && (
        <ol className="samples" aria-label={text.rule.simulation.samples}>
          {messages.map((message) => (
            <SampleMessage
              key={`${message.channel}/${message.user}`}
              {...{ place, message, context }}
              template={draft.rule.templates.find(({ channel }) => channel === message.channel)}
            />
          ))}
        </ol>
      )}
    </>
  );
}

interface SampleProps {
  place: EventPlace;
  message: SimulatedMessage;
  context: Record<string, unknown>;
  template: RuleTemplate | undefined;
}

/** The message to one person, rendered from the edited template. */
function SampleMessage({ place, message, context, template }: SampleProps) {
  const [isOpen, setOpen] = useState(false);
  const body = template && previewBody(template, context, message.user ?? undefined);
  const preview = useQuery({ ...previewQuery(place, body ?? {}), enabled: body !== undefined, retry: false });
  const shown = preview.data ?? message;
  return (
    <li>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <span className="sample-to">{message.user ?? text.rule.simulation.room}</span>
          <span className="soft">{message.channel}</span>
          <span className="sample-line">{shown.subject || shown.text}</span>
          {(preview.error || message.problem) && <Badge tone="bad">{text.rule.simulation.problem}</Badge>}
          {message.waits_for && <Badge tone="accent">{text.rule.simulation.waits[message.waits_for]}</Badge>}
        </summary>
        {isOpen && (
          <div className="stack sample-message">
            {message.user && (
              <Link to="/o/$org/people/$username" params={{ org: place.org, username: message.user }}>
                {message.user}
              </Link>
            )}
            {message.problem && <p className="note bad">{message.problem}</p>}
            {preview.error && <Problem error={preview.error} />}
            <Message {...shown} />
          </div>
        )}
      </details>
    </li>
  );
}
