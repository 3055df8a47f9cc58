import type { TemplateParts } from '../template/template.js';

/** A notification with its templates, as a ruleset keeps it. */
export interface Rule {
  id: number;
  name: string;
  enabled: boolean;
  when: string | null;
  audience: unknown;
  /** Ids of distribution lists. */
  lists: number[];
  templates: RuleTemplate[];
}

export interface RuleTemplate {
  channel: number;
  parts: TemplateParts;
}

/** The rule of a decision or a target: both come from the same ruleset. */
export const ruleOf = (rules: Rule[], { notification }: { notification: number }): Rule =>
  rules.find(({ id }) => id === notification)!;
