import type { ChosenBy, SuppressionCause } from '../../platform/database/generated/prisma/enums.js';
import { clipped, moment } from './explain-sentence.js';

/** What a user had chosen about a message, and whether the address could be used, when it was decided. Null: it did not decide. */
export interface ChoiceFacts {
  choice: StoredChoice | null;
  /** Without a choice: the default that decided. */
  default: StoredDefault | null;
  suppression: { value: string; cause: SuppressionCause; since: Date; evidence: Record<string, unknown> } | null;
  /** The thread that the user has muted. */
  muted: { field: string; value: string; by: ChosenBy; at: Date; until: Date } | null;
}

export const NOTHING_CHOSEN: ChoiceFacts = { choice: null, default: null, suppression: null, muted: null };

/** The facts that were stored with a delivery. Earlier releases stored none. */
export const storedChoice = (evidence: Record<string, unknown> | null): ChoiceFacts => ({
  ...NOTHING_CHOSEN,
  ...(evidence as Partial<ChoiceFacts> | null),
});

interface StoredDefault {
  /** The slug of the category. */
  category: string;
  name: string;
  default: 'on' | 'off' | 'required';
  /** Channel types whose default differs. */
  channels: Record<string, 'on' | 'off'>;
  channelType: string;
}

interface StoredChoice {
  about: 'everything' | 'category' | 'event';
  /** The name of the category or the event. */
  name: string | null;
  /** Empty: every channel. */
  channelType: string;
  isOn: boolean;
  by: ChosenBy;
  at: Date;
}

const BY: Record<ChosenBy, string> = {
  person: 'on the preference page',
  key: 'through the API',
  link: 'with the unsubscribe link of a mail',
};

const MUTED_BY: Record<ChosenBy, string> = { ...BY, link: 'with the link of a message' };

const CAUSES: Record<SuppressionCause, string> = {
  hard_bounce: 'its provider says that it does not exist',
  complaint: 'its owner has reported a message as spam',
  stop: 'its owner has answered STOP',
  manual: 'it was suppressed by hand',
};

type Why = [why: string, evidence: Record<string, unknown>, after: string];

/** Why a user does not want a message. */
export function optedOut({ chosen: { choice, default: preset } }: { chosen: ChoiceFacts }): Why {
  const after = '; the user would get it now';
  if (choice && !choice.isOn) {
    const { at, by, channelType } = choice;
    const evidence = {
      choice: { about: choice.about, channel: channelType || null, on: false, chosen_by: by, chosen_at: at },
    };
    return [`the user switched off ${aboutOf(choice)} at ${moment(at)} ${BY[by]}`, evidence, after];
  }
  if (!preset) return ['the user did not want it', { choice: null }, after];
  const { name, channelType, category, channels } = preset;
  const isOfChannel = Object.hasOwn(channels, channelType);
  const evidence = { category, default: preset.default, channels, default_of: isOfChannel ? 'channel' : 'category' };
  const what = isOfChannel ? `the category "${name}" over ${channelType}` : `the category "${name}"`;
  return [`${what} is off unless the user switches it on`, { ...evidence, choice: null }, after];
}

function aboutOf({ about, name, channelType }: StoredChoice): string {
  const what = about === 'everything' ? 'everything' : `the ${about} "${name ?? ''}"`;
  return channelType ? `${what} over ${channelType}` : what;
}

/** Why a user wants nothing about a thing. */
export function mutedThread({ chosen: { muted } }: { chosen: ChoiceFacts }): Why {
  const after = '; the user would get it now';
  if (!muted) return ['the user muted this thread', {}, after];
  const { field, value, by, at, until } = muted;
  const why = `the user muted this thread, ${field} ${clipped(value)}, at ${moment(at)} ${MUTED_BY[by]}, until ${moment(until)}`;
  return [why, { thread: field, value, chosen_by: by, chosen_at: at, until }, after];
}

/** Why an address must not be used. */
export function suppressed({ chosen }: { chosen: ChoiceFacts }): Why {
  const after = '; it may be used now';
  if (!chosen.suppression) return ['the address was suppressed', {}, after];
  const { value, cause, since, evidence } = chosen.suppression;
  const why = `the address ${clipped(value)} has been suppressed since ${moment(since)}: ${CAUSES[cause]}`;
  return [why, { cause, since, ...evidence }, after];
}
