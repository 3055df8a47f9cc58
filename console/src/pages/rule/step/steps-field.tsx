import { Field } from '../../form/field';
import { text } from '../../text/text';
import type { Draft } from './draft';
import type { RuleStep, RuleTemplate } from './parts';
import { RepeatFields, StepToFields } from './step-fields';

const EVIDENCE = ['sent', 'delivered', 'seen', 'read', 'acknowledged'] as const;

interface Props {
  steps: RuleStep[] | null;
  templates: RuleTemplate[];
  /** Names of the project's lists. */
  lists: string[];
  edit: Draft['edit'];
  error: Error | null;
}

/** Which channels are used at once, and which only later, if nothing came of the steps before. A card for each step. */
export function StepsField({ steps, templates, lists, edit, error }: Props) {
  const channels = templates.flatMap(({ channel }) => channel ?? []);
  const words = text.rule.steps;
  // Without steps there is nothing to acknowledge.
  const drop = () => edit({ steps: null, acknowledge: null });
  const change = (next: RuleStep[]) => (next.length > 1 ? edit({ steps: next }) : drop());
  if (!steps)
    return (
      <fieldset className="steps">
        <legend className="label">{words.title}</legend>
        <p className="soft">{words.none}</p>
        {channels.length > 1 && (
          <div className="row">
            <button type="button" className="button small" onClick={() => change(channels.map(firstStep))}>
              {words.use}
            </button>
          </div>
        )}
      </fieldset>
    );
  const used = new Set(steps.flatMap((step) => step.channels));
  const unused = channels.filter((channel) => !used.has(channel));
  const put = (place: number, more: Partial<RuleStep>) =>
    change(steps.map((step, i) => (i === place ? { ...step, ...more } : step)));
  const replace = (place: number, next: RuleStep) => change(steps.map((step, i) => (i === place ? next : step)));
  // A channel belongs to one step.
  const move = (channel: string, place: number, isOn: boolean) =>
    change(
      steps.map((step, i) => {
        const others = step.channels.filter((one) => one !== channel);
        return { ...step, channels: i === place && isOn ? [...others, channel] : others };
      }),
    );
  const remove = (place: number) => {
    const into = place - 1;
    const kept = steps.map((step, i) =>
      i === into ? { ...step, channels: [...step.channels, ...steps[place]!.channels] } : step,
    );
    change(kept.filter((_, i) => i !== place));
  };
  return (
    <fieldset className="steps">
      <legend className="label">{words.title}</legend>
      <p className="soft">{words.hint}</p>
      <ol className="stack">
        {steps.map((step, i) => (
          <li key={i} className="card step" aria-label={words.nameOf(i + 1)}>
            <div className="row">
              <strong>{words.nameOf(i + 1)}</strong>
              {i === 0 && <span className="soft">{words.atOnce}</span>}
              {i > 0 && (
                <button type="button" className="button small plain" onClick={() => remove(i)}>
                  {words.remove(i + 1)}
                </button>
              )}
            </div>
            {i > 0 && (
              <>
                <Field label={words.after} hint={words.afterHint} error={error} name={`steps[${i}].after`}>
                  <input
                    className="input"
                    value={step.after ?? ''}
                    onChange={(event) => put(i, { after: event.target.value.trim() })}
                    required
                  />
                </Field>
                <Field label={words.unless} error={error} name={`steps[${i}].unless`}>
                  <select
                    className="input"
                    value={step.unless ?? ''}
                    onChange={(event) => {
                      const { unless: _, ...rest } = step;
                      const chosen = EVIDENCE.find((one) => one === event.target.value);
                      replace(i, { ...rest, ...(chosen && { unless: chosen }) });
                    }}
                  >
                    <option value="">{words.always}</option>
                    {EVIDENCE.map((one) => (
                      <option key={one} value={one}>
                        {words.evidence[one]}
                      </option>
                    ))}
                  </select>
                </Field>
              </>
            )}
            {i > 0 && (
              <StepToFields step={step} place={i} lists={lists} error={error} put={(next) => replace(i, next)} />
            )}
            <RepeatFields step={step} place={i} error={error} put={(next) => replace(i, next)} />
            <fieldset className="lists">
              <legend className="label">{words.channels}</legend>
              {[...new Set([...channels, ...step.channels])].map((channel) => (
                <label key={channel} className="check">
                  <input
                    type="checkbox"
                    checked={step.channels.includes(channel)}
                    onChange={(event) => move(channel, i, event.target.checked)}
                  />
                  <span>{channel}</span>
                </label>
              ))}
            </fieldset>
          </li>
        ))}
      </ol>
      {unused.length > 0 && <p className="note warn">{words.unused(unused.join(', '))}</p>}
      <div className="row">
        <button
          type="button"
          className="button small"
          onClick={() => change([...steps, { channels: [], after: '10m', unless: 'read' }])}
        >
          {words.add}
        </button>
        <button type="button" className="button small plain" onClick={drop}>
          {words.drop}
        </button>
      </div>
    </fieldset>
  );
}

const firstStep = (channel: string, place: number): RuleStep =>
  place === 0 ? { channels: [channel] } : { channels: [channel], after: '10m', unless: 'read' };
