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
  /** One post to the room that the channel is; left out: one message for each person. */
  per?: 'room';
}

/** The user id of a delivery that is a post to a room. No person has it. */
export const ROOM = 0;

/** The rule of a decision or a target: both come from the same ruleset. */
export const ruleOf = (rules: Rule[], { notification }: { notification: number }): Rule =>
  rules.find(({ id }) => id === notification)!;

/** Whether a target is one post to the room that its channel is, and not one message for each person. */
export const isRoomPost = (rules: Rule[], target: { notification: number; channel: number }): boolean =>
  rules
    .find(({ id }) => id === target.notification)
    ?.templates.some(({ channel, per }) => channel === target.channel && per === 'room') ?? false;
