import { ProblemError } from '@carillon/client';
import { text } from '../../../text/text';
import { useChannelNames } from '../../channel/use-channels';
import type { Draft } from '../draft/draft';
import type { RuleStep, RuleTemplate } from '../parts';
import type { DraftCheck } from '../use-draft-check';
import { StepCard } from './step-card';

interface Props {
  org: string;
  prj: string;
  draft: Pick<Draft, 'edit' | 'setUnfinished'>;
  steps: RuleStep[] | null;
  templates: RuleTemplate[];
  /** Names of the project's lists. */
  lists: string[];
  error: Error | null;
  unreached: DraftCheck['unreached'];
}

/** Which channels are used at once, and which only later, if nothing came of the steps before. A card for each step. */
export function StepsField({ org, prj, draft, steps, templates, lists, error, unreached }: Props) {
  const channels = templates.flatMap(({ channel }) => channel ?? []);
  const words = text.rule.steps;
  const nameOf = useChannelNames(org, prj);
  // Without steps there is nothing to acknowledge.
  const drop = () => draft.edit({ steps: null, acknowledge: null });
  const change = (next: RuleStep[]) => (next.length > 1 ? draft.edit({ steps: next }) : drop());
  if (!steps)
    return (
      <fieldset className="steps">
        <legend className="label">{words.title}</legend>
        <p className="soft">{channels.length > 1 ? words.none : words.tooFew}</p>
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
  const ofAll = (error instanceof ProblemError && error.errors.steps) || [];
  return (
    <fieldset className="steps">
      <legend className="label">{words.title}</legend>
      <p className="soft">{words.hint}</p>
      <ol className="stack">
        {steps.map((step, place) => (
          <StepCard
            key={place}
            {...{ org, step, place, channels, nameOf, lists, error }}
            unreached={unreached.filter(({ channel }) => step.channels.includes(channel ?? ''))}
            put={(next) => change(steps.map((one, i) => (i === place ? next : one)))}
            move={(channel, isOn) => change(moved(steps, channel, place, isOn))}
            remove={() => change(without(steps, place))}
            onUnfinished={(isUnfinished) => draft.setUnfinished(`steps[${place}]`, isUnfinished)}
          />
        ))}
      </ol>
      {unused.length > 0 ? (
        <p className="note warn">{words.unused(unused.map(nameOf).join(', '))}</p>
      ) : (
        ofAll.length > 0 && (
          <p className="note bad" role="alert" data-invalid>
            {ofAll.join(' ')}
          </p>
        )
      )}
      <div className="row">
        <button
          type="button"
          className="button small"
          onClick={() => change([...steps, { channels: [], after: '10m', unless: steps.at(-1)?.unless ?? 'read' }])}
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

/** A channel belongs to one step. */
const moved = (steps: RuleStep[], channel: string, place: number, isOn: boolean) =>
  steps.map((step, i) => {
    const others = step.channels.filter((one) => one !== channel);
    return { ...step, channels: i === place && isOn ? [...others, channel] : others };
  });

/** The step before takes its channels. */
const without = (steps: RuleStep[], place: number) =>
  steps
    .map((step, i) => (i === place - 1 ? { ...step, channels: [...step.channels, ...steps[place]!.channels] } : step))
    .filter((_, i) => i !== place);
