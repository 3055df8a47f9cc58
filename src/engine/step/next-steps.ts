import type { Decision } from '../../rules/ruleset/decide.js';
import { ruleOf } from '../../rules/ruleset/rule.js';
import type { Rule } from '../../rules/ruleset/rule.js';
import { laterSteps } from '../../rules/step/later-steps.js';

/** A notification with later steps, and the seconds until the next one at the earliest. */
interface NextSteps {
  notification: number;
  wait: number;
}

/** The notifications of an occurrence that have more steps; null: none has. */
export function nextSteps(rules: Rule[], decisions: Decision[]): NextSteps[] | null {
  const next = decisions.flatMap((decision) => {
    const [step] = laterSteps(ruleOf(rules, decision), decision);
    return step ? [{ notification: decision.notification, wait: step.after }] : [];
  });
  return next.length > 0 ? next : null;
}
