import type { ChosenBy, Frequency } from '../../platform/database/generated/prisma/enums.js';
import { sqlArray } from '../../platform/database/transaction.js';
import type { SqlTransaction } from '../../platform/database/transaction.js';
import { STORED_CHOICES } from './preference.sql.js';
import { ALL } from './read-choices.js';
import type { ChoiceChanges, Wanted } from './read-choices.js';

/** A choice of a user. Without a category and an event, it is about everything over a channel type. */
export interface StoredChoice {
  userId: number;
  categoryId: number | null;
  eventId: number | null;
  /** The category of the event. */
  eventCategoryId: number | null;
  /** Empty: every channel type. */
  type: string;
  isOn: boolean;
  /** Of the choice about how often, whose type is `frequency`. Null: of any other. */
  frequency: Frequency | null;
  chosenAt: Date;
  chosenBy: ChosenBy;
  /** The whole names: `shop/news`, `shop/web/order-paid`. */
  category: string | null;
  event: string | null;
  /** False: it is about something that nobody can refuse. */
  counts: boolean;
}

/** Everything that these users have chosen. */
export const storedChoices = (
  client: Pick<SqlTransaction, '$queryRawUnsafe'>,
  userIds: readonly number[],
): Promise<StoredChoice[]> => client.$queryRawUnsafe<StoredChoice[]>(STORED_CHOICES, sqlArray(userIds));

/** The choices of one user as a request or a file gives them. */
export function namedChoices(
  choices: readonly Pick<StoredChoice, 'type' | 'isOn' | 'frequency' | 'category' | 'event'>[],
): ChoiceChanges {
  const changes: ChoiceChanges = {};
  for (const { type, isOn, frequency, category, event } of choices) {
    const value = frequency ?? (isOn ? 'on' : 'off');
    const name = category ?? event;
    if (name === null) (changes.channels ??= {})[type] = value as Wanted;
    else {
      const groups = changes as Record<'categories' | 'events', Record<string, object> | undefined>;
      const group = (groups[category === null ? 'events' : 'categories'] ??= {});
      group[name] = { ...group[name], [type || ALL]: value };
    }
  }
  return changes;
}
