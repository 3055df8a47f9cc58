import { suggest } from '../../../platform/field/error/closest.js';
import type { AddError } from '../../../platform/field/error/field-error.js';
import type { NamedStep } from './read-steps.js';

interface StepTemplate {
  channel: string;
  /** Left out: it depends on the channel. */
  per?: 'room' | 'person';
}

/** The other settings of a notification with steps. */
interface Beside {
  digest?: unknown;
  limit?: unknown;
}

/** The mistakes of steps that are read, beside the templates and other settings of their notification. */
export function checkSteps(
  steps: NamedStep[],
  templates: readonly StepTemplate[],
  { digest, limit }: Beside,
  addError: AddError,
): void {
  const templateOf = new Map(templates.map((template) => [template.channel, template]));
  for (const [i, { channels }] of steps.entries()) {
    for (const slug of channels) {
      const field = `steps[${i}].channels`;
      const template = templateOf.get(slug);
      if (!template)
        addError(field, 'not_found', `has no template: ${slug}${suggest(slug, [...templateOf.keys()].sort())}`);
      else if (i > 0 && template.per === 'room')
        addError(field, 'not_allowed', `${slug} is one post to a room, which belongs into the first step`);
    }
  }
  const used = new Set(steps.flatMap(({ channels }) => channels));
  const unused = templates.filter(({ channel }) => !used.has(channel)).map(({ channel }) => channel);
  if (unused.length > 0) addError('steps', 'required', `must name every channel with a template: ${unused.join(', ')}`);
  const first = steps[0]!.channels.flatMap((slug) => templateOf.get(slug) ?? []);
  if (first.length > 0 && first.every(({ per }) => per === 'room'))
    addError('steps[0].channels', 'conflict', 'needs a channel that sends to users: the later steps have its users');
  if (digest !== null && digest !== undefined) addError('digest', 'conflict', 'excludes steps: remove one of them');
  if ((limit as { then?: unknown } | null | undefined)?.then === 'digest')
    addError('limit.then', 'conflict', 'must be drop in a notification with steps: a digest has no steps');
}
