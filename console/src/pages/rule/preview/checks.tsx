import type { Previewed } from '@carillon/client';
import { Badge } from '../../../components/badge';
import type { Tone } from '../../../components/badge';
import { text } from '../../../text/text';

const LEVELS = ['error', 'warning', 'hint'] as const;
const TONES: Record<(typeof LEVELS)[number], Tone> = { error: 'bad', warning: 'warn', hint: 'idle' };

/** What a mail tool would say about the message, the worst first. */
export function Checks({ checks }: { checks: Previewed['checks'] }) {
  if (checks.length === 0) return <p className="checks-none">{text.rule.preview.noChecks}</p>;
  const sorted = LEVELS.flatMap((level) => checks.filter((check) => check.level === level));
  return (
    <section className="checks" aria-label={text.rule.preview.checks(checks.length)}>
      <h3>{text.rule.preview.checks(checks.length)}</h3>
      <ul>
        {sorted.map(({ id, level, sentence }, i) => (
          <li key={`${id} ${i}`}>
            <Badge tone={TONES[level]}>{text.rule.preview.levels[level]}</Badge>
            <span>{sentence}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
