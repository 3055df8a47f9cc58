import type { ChannelHealth } from '@carillon/client';
import { Badge } from '../../components/badge';
import { Time } from '../../components/time';
import { text } from '../../text/text';

const TONES = { ok: 'good', failing: 'warn', resting: 'bad' } as const;

/** How a channel does, and since when. */
export function Health({ health }: { health: ChannelHealth }) {
  const { state, failures, failing_since, next_probe_at } = health;
  return (
    <span className="row">
      <Badge tone={TONES[state]}>{text.channel.states[state]}</Badge>
      {failures > 0 && (
        <span className="soft">
          {text.channel.failures(failures)} <Time at={failing_since} />
        </span>
      )}
      {next_probe_at && (
        <span className="soft">
          {text.channel.probe} <Time at={next_probe_at} />
        </span>
      )}
    </span>
  );
}
