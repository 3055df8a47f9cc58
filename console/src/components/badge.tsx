import type { ReactNode } from 'react';
import { text } from '../text/text';
import { Icon } from './icon';
import type { IconName } from './icon-paths';

export type Tone = 'good' | 'warn' | 'bad' | 'accent' | 'idle';

export function Badge({ tone = 'idle', children }: { tone?: Tone; children: ReactNode }) {
  return <span className={`badge ${tone}`}>{children}</span>;
}

const TONES: Record<string, Tone> = {
  sent: 'good',
  complete: 'good',
  completed: 'good',
  done: 'good',
  expanding: 'accent',
  failed: 'bad',
  pending: 'accent',
  waiting: 'accent',
  held: 'warn',
  resting: 'warn',
  dead: 'bad',
  canceled: 'idle',
  skipped: 'idle',
};

const SIGNS: Record<Tone, IconName> = { good: 'check', bad: 'cross', warn: 'pause', accent: 'clock', idle: 'minus' };

/** The status of an occurrence, a delivery or a channel, in the colour it has everywhere. */
export function Status({ status }: { status: string }) {
  const tone = TONES[status] ?? 'idle';
  return (
    <Badge tone={tone}>
      <Icon name={status === 'expanded' ? 'check' : SIGNS[tone]} />
      {text.statuses[status] ?? status.replaceAll('_', ' ')}
    </Badge>
  );
}
