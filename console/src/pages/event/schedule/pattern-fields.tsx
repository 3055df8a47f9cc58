import { Field } from '../../../form/field';
import { text } from '../../../text/text';
import { DAYS, PRESETS, cronOf } from './pattern';
import type { Pattern } from './pattern';

interface Props {
  pattern: Pattern;
  onChange: (pattern: Pattern) => void;
  error: Error | null;
}

/** How often a schedule triggers its event: a preset, or a cron expression. */
export function PatternFields({ pattern, onChange, error }: Props) {
  const { preset } = pattern;
  const change = (part: Partial<Pattern>) => onChange({ ...pattern, ...part });
  return (
    <>
      {/* A custom expression starts as that of the preset before it. */}
      <Field label={text.event.schedule.repeats} error={preset === 'custom' ? null : error} name="cron">
        <select
          className="input"
          value={preset}
          onChange={({ target }) => change({ preset: target.value as Pattern['preset'], cron: cronOf(pattern) })}
        >
          {PRESETS.map((each) => (
            <option key={each} value={each}>
              {text.event.schedule.presets[each]}
            </option>
          ))}
        </select>
      </Field>
      {preset === 'weekly' && (
        <Field label={text.event.schedule.day}>
          <select
            className="input"
            value={pattern.day}
            onChange={({ target }) => change({ day: target.value as Pattern['day'] })}
          >
            {DAYS.map((day) => (
              <option key={day} value={day}>
                {text.event.schedule.days[day]}
              </option>
            ))}
          </select>
        </Field>
      )}
      {preset === 'hourly' && (
        <Field label={text.event.schedule.minute}>
          <input
            className="input"
            type="number"
            min={0}
            max={59}
            required
            value={pattern.minute}
            onChange={({ target }) => change({ minute: target.value })}
          />
        </Field>
      )}
      {preset === 'custom' && (
        <Field label={text.event.schedule.cron} hint={text.event.schedule.cronHint} error={error} name="cron">
          <input
            className="input mono"
            required
            spellCheck={false}
            autoComplete="off"
            value={pattern.cron}
            onChange={({ target }) => change({ cron: target.value })}
          />
        </Field>
      )}
      {preset !== 'hourly' && preset !== 'custom' && (
        <Field label={text.event.schedule.time}>
          <input
            className="input"
            type="time"
            required
            value={pattern.time}
            onChange={({ target }) => change({ time: target.value })}
          />
        </Field>
      )}
    </>
  );
}
