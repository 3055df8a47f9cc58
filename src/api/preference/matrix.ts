import type { CategoryDefault, Frequency, SuppressionCause } from '../../platform/database/generated/prisma/enums.js';
import { AT_ONCE, FREQUENCY } from './read-choices.js';
import { decide } from './precedence.js';
import type { Choice, Facts } from './precedence.js';
import type { PreferenceDto, PreferencesDto } from './preference.dto.js';

/** What the matrix of a user is made of. */
export interface MatrixFacts {
  /** Channel types, each with the reasons why the user's address for it is suppressed. */
  types: { type: string; suppressedBy: SuppressedBy }[];
  categories: CategoryFacts[];
  events: { id: number; project: string; path: string; name: string; categoryId: number | null }[];
  choices: UserChoice[];
}

/** In the whole organization (null), and in projects where it differs. */
type SuppressedBy = ReadonlyMap<string | null, SuppressionCause[]>;

const causesIn = (suppressedBy: SuppressedBy, project: string | null): SuppressionCause[] =>
  suppressedBy.get(project) ?? suppressedBy.get(null) ?? [];

interface CategoryFacts {
  id: number;
  project: string;
  /** Such as `shop/news`. */
  path: string;
  name: string;
  description: string;
  default: CategoryDefault;
  channels: Record<string, 'on' | 'off'>;
  frequencies: Frequency[];
}

interface UserChoice extends Choice {
  categoryId: number | null;
  eventId: number | null;
  /** Empty: every channel type. */
  type: string;
  frequency: Frequency | null;
}

/** The effective choices of a user: for each category, chosen event and channel type, what counts and why. */
export function matrixOf({
  types,
  categories,
  events,
  choices,
}: MatrixFacts): Omit<PreferencesDto, 'lists' | 'muted_threads'> {
  const byKey = new Map(choices.map((choice) => [keyOf(choice), choice]));
  const chosen = (categoryId: number | null, eventId: number | null, type: string) =>
    byKey.get(keyOf({ categoryId, eventId, type }));
  const cells = (project: string, category: CategoryFacts | undefined, eventId: number | null) =>
    types.map(({ type, suppressedBy }) => {
      const ofEvent = eventId !== null && {
        event_channel: chosen(null, eventId, type),
        event: chosen(null, eventId, ''),
      };
      const ofCategory = category && {
        category_channel: chosen(category.id, null, type),
        category: chosen(category.id, null, ''),
      };
      return cellOf(type, {
        suppressedBy: causesIn(suppressedBy, project),
        category: category ? { default: category.default, ofChannel: category.channels[type] } : null,
        master: chosen(null, null, type),
        choices: { ...ofEvent, ...ofCategory },
      });
    });
  const masterOf = ({ type, suppressedBy }: MatrixFacts['types'][number]) => {
    const choice = chosen(null, null, type);
    return {
      type,
      on: choice?.isOn ?? true,
      ...whenAndWho(choice),
      suppressed: causesIn(suppressedBy, null)[0] ?? null,
    };
  };
  return {
    channels: types.map(masterOf),
    categories: categories.map((category) => {
      const { project, path, name, description, default: byDefault } = category;
      const required = byDefault === 'required';
      const frequencies = required ? [] : category.frequencies;
      const frequency = chosen(category.id, null, FREQUENCY)?.frequency;
      return {
        ...{ project, category: path, name, description, required },
        frequency: frequencies.find((each) => each === frequency) ?? AT_ONCE,
        frequencies,
        channels: cells(project, category, null),
      };
    }),
    events: events.map(({ id, project, path, name, categoryId }) => {
      const category = categories.find((each) => each.id === categoryId);
      const required = category?.default === 'required';
      return {
        project,
        event: path,
        name,
        category: category?.path ?? null,
        required,
        channels: cells(project, category, id),
      };
    }),
  };
}

const keyOf = ({ categoryId, eventId, type }: Pick<UserChoice, 'categoryId' | 'eventId' | 'type'>) =>
  `${categoryId}/${eventId}/${type}`;

const whenAndWho = (choice: Choice | undefined) => ({
  chosen_at: choice?.chosenAt.toISOString() ?? null,
  chosen_by: choice?.chosenBy ?? null,
});

function cellOf(type: string, facts: Facts): PreferenceDto {
  const { on, source, choice, cause } = decide(facts);
  return { type, on, source, ...whenAndWho(choice), cause: cause ?? null };
}
