import type { Summary } from '@carillon/client';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { text } from '../../text/text';
import { counted } from './counted';
import { FailingChannels } from './failing-channels';
import { LATE_S, durationOf } from './oldest-job';
import { Switches } from './switch/switches';

/** A card for each thing that needs attention. `calm`: what to say when nothing does, and nothing is on its way. */
export function Needs({ org, summary, calm }: { org: string; summary: Summary; calm: ReactNode }) {
  const { held_occurrences: held, dead_deliveries: dead, switched_off: off } = summary;
  const { failing_channels: failing, oldest_job_seconds: age } = summary;
  const failingCount = Math.max(summary.resting_channels, failing.length);
  const isLate = age !== null && age > LATE_S;
  const needs = [held, dead, failingCount, off.length, Number(isLate)].filter((count) => count > 0).length;
  const isBusy =
    summary.sending.length + summary.waiting.length + summary.waiting_messages + summary.waiting_triggers > 0;
  if (needs === 0 && !isBusy) return calm;
  return (
    <section className="stack" aria-labelledby="needs">
      <div className={needs === 0 ? 'calm' : 'calm some'} role="status">
        <h2 id="needs">{needs > 0 ? text.now.attention(needs) : text.now.busy}</h2>
      </div>
      {needs > 0 && (
        <div className="needs">
          {held > 0 && (
            <Need tone="warn" figure={counted(held)} name={text.now.held(counted(held))} hint={text.now.heldHint}>
              <Link to="/o/$org/occurrences" params={{ org }} search={{ status: 'held' }}>
                {text.now.heldLink}
              </Link>
            </Need>
          )}
          {dead > 0 && (
            <Need tone="bad" figure={counted(dead)} name={text.now.dead(counted(dead))} hint={text.now.deadHint}>
              <Link to="/o/$org/occurrences" params={{ org }} search={{ time: '24h' }}>
                {text.now.deadLink}
              </Link>
            </Need>
          )}
          {failingCount > 0 && (
            <Need
              tone="bad"
              figure={String(failingCount)}
              name={text.now.failing(String(failingCount))}
              hint={text.now.failingHint}
            >
              {failing.length > 0 && <FailingChannels org={org} failing={failing} />}
              <Link to="/o/$org/channels" params={{ org }}>
                {text.now.failingLink}
              </Link>
            </Need>
          )}
          {isLate && (
            <Need tone="warn" figure={durationOf(age)} name={text.now.late} hint={text.now.oldestHint}>
              <Link to="/o/$org/occurrences" params={{ org }} search={{ time: '1h' }}>
                {text.now.lateLink}
              </Link>
            </Need>
          )}
          {off.length > 0 && (
            <Need
              tone="idle"
              figure={String(off.length)}
              name={text.now.off(String(off.length))}
              hint={
                off.some(({ kind }) => kind === 'notification')
                  ? `${text.now.offHint} ${text.now.offHintNotification}`
                  : text.now.offHint
              }
            >
              <Switches org={org} off={off} />
            </Need>
          )}
        </div>
      )}
    </section>
  );
}

interface NeedProps {
  tone: 'warn' | 'bad' | 'idle';
  figure: string;
  name: string;
  hint: string;
  children: ReactNode;
}

function Need({ tone, figure, name, hint, children }: NeedProps) {
  return (
    <article className={`card need ${tone}`}>
      <h3>
        <span className="figure">{figure}</span> <span>{name}</span>
      </h3>
      <p className="soft">{hint}</p>
      <div>{children}</div>
    </article>
  );
}
