import { setImmediate as otherWork } from 'node:timers/promises';
import { EACH } from '../../platform/field/expression/use.js';
import type { Use } from '../../platform/field/expression/use.js';
import { matches, usesInValue, usesInWhen } from '../../platform/field/expression/when.js';
import { RuleError } from '../../platform/field/expression/when-value.js';
import type { Rule } from '../../rules/ruleset/rule.js';
import { addUse, lackingIn, newField } from '../../rules/template/field.js';
import type { Field } from '../../rules/template/field.js';
import { RESERVED, fieldOfPart } from '../../rules/template/template.js';
import type { TEMPLATE_PARTS } from '../../rules/template/template.js';
import { eachUse } from '../../rules/template/template-fields.js';

/** The part of a rule that uses a field; the condition, `to` and the thread have no channel. */
export interface RulePart {
  notification: string;
  channel: number | null;
  part: (typeof TEMPLATE_PARTS)[number] | 'when' | 'to' | 'thread';
}

/** The context fields that a rule needs. */
export interface RuleNeeds {
  name: string;
  when: string | null;
  hasSteps: boolean;
  uses: { use: Use; by: RulePart }[];
  /** Parts with too many names to analyse. */
  unchecked: RulePart[];
  ofCondition: Field<null>;
  /** Of its templates and of `to`: they count only if the condition is true. */
  ofTemplates: Field<null>;
}

/** Analyses the enabled rules. */
export async function needsOf(rules: Rule[]): Promise<RuleNeeds[]> {
  const needs: RuleNeeds[] = [];
  for (const rule of rules) if (rule.enabled) needs.push(await needsOfRule(rule));
  return needs;
}

async function needsOfRule({ name, when, to, thread, steps, templates }: Rule): Promise<RuleNeeds> {
  const hasSteps = steps !== undefined;
  const fields = { ofCondition: newField<null>(), ofTemplates: newField<null>() };
  const needs: RuleNeeds = { name, when, hasSteps, uses: [], unchecked: [], ...fields };
  for (const use of when === null ? [] : usesInWhen(when)) {
    needs.uses.push({ use, by: { notification: name, channel: null, part: 'when' } });
    addUse(needs.ofCondition, use, null);
  }
  for (const use of typeof to === 'object' ? usesInValue(to.context) : []) {
    needs.uses.push({ use, by: { notification: name, channel: null, part: 'to' } });
    addUse(needs.ofTemplates, use, null);
  }
  // Without a value, the messages are about nothing in particular, and are sent.
  if (thread !== undefined)
    needs.uses.push({
      use: { path: thread.split('.'), needed: false },
      by: { notification: name, channel: null, part: 'thread' },
    });
  for (const { channel, parts } of templates) {
    for (const { part, uses } of eachUse(parts)) {
      // A template has up to 200 parts in all its languages.
      await otherWork();
      const by = { notification: name, channel, part: fieldOfPart(part) };
      if (!uses) needs.unchecked.push(by);
      for (const use of (uses ?? []).flatMap((each) => useOfContext(each, hasSteps))) {
        needs.uses.push({ use, by });
        addUse(needs.ofTemplates, use, null);
      }
    }
  }
  return needs;
}

/** What a use reads of the context. The items of a digest are contexts; its other fields come from us, and `step` in a rule with steps. */
function useOfContext(use: Use, hasSteps: boolean): Use[] {
  const [root, field, item, ...path] = use.path;
  if (root === 'digest' && field === 'items' && path.length > 0) return [{ path, needed: use.needed && item === EACH }];
  if (root === 'step' && hasSteps) return [];
  return typeof root === 'string' && RESERVED.has(root) ? [] : [use];
}

/** The paths that a context lacks for a rule: those of its condition and, if the condition is true, of its templates. */
export function lackingFor({ when, ofCondition, ofTemplates }: RuleNeeds, context: Record<string, unknown>): string[] {
  const forCondition = lackingIn(ofCondition, context).needed;
  const forTemplates = applies(when, context) ? lackingIn(ofTemplates, context).needed : [];
  return [...new Set([...forCondition, ...forTemplates])];
}

function applies(when: string | null, context: unknown): boolean {
  try {
    return matches(when, context);
  } catch (error) {
    if (error instanceof RuleError) return false;
    throw error;
  }
}
