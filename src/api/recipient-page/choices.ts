import type { ListChange, OpenList } from '../distribution-list/open/open-lists.js';
import type { OwnWish } from '../preference/preference.write.js';
import type { StoredChoice } from '../preference/preference.read.js';
import { AT_ONCE, FREQUENCY } from '../preference/read-choices.js';
import type { Frequency } from '../../rules/frequency/category-digests.js';
import { DAYS } from '../../platform/field/weekly-range.js';
import type { WeeklyRange } from '../../rules/ruleset/rule.js';
import { LANGUAGES } from './texts.js';

/** A category, and what a user has chosen about it. */
export interface ChoiceCategory {
  id: number;
  name: string;
  description: string;
  default: 'on' | 'off' | 'required';
  /** Channel types whose default differs. */
  channels: Record<string, 'on' | 'off'>;
  project: string;
  /** The channel types that its messages use. */
  types: string[];
  /** How often its messages may come instead of at once, and the time of the day. */
  frequencies: Frequency[];
  digestAt: string;
  /** What the user has chosen of these. Null: nothing. */
  frequency: Frequency | null;
  /** The stored choices by channel type; empty: for all of them. */
  choices: Record<string, boolean>;
}

/** One switch of the page: a category over a channel type (empty: over all), or everything over a channel type (`category` is 0). */
export interface ChoiceCell {
  category: number;
  type: string;
  isOn: boolean;
}

export const keyOf = ({ category, type }: Pick<ChoiceCell, 'category' | 'type'>) => `${category}.${type}`;

/** The switches of a category: one for each channel type that it uses. A required category has none. */
export function cellsOf({ id, types, ...category }: ChoiceCategory): ChoiceCell[] {
  if (category.default === 'required') return [];
  return (types.length === 0 ? [''] : types).map((type) => ({ category: id, type, isOn: isOn(category, type) }));
}

/** As `rules/ruleset/choices.sql.ts` decides, for choices about a category. */
function isOn(category: Pick<ChoiceCategory, 'default' | 'channels' | 'choices'>, type: string): boolean {
  const { choices, channels } = category;
  return choices[type] ?? choices[''] ?? (channels[type] ?? category.default) === 'on';
}

/** The switches of whole channel types that the categories use. */
export function masterCells(categories: ChoiceCategory[], switches: { type: string; isOn: boolean }[]): ChoiceCell[] {
  const types = new Set(categories.filter((each) => each.default !== 'required').flatMap((each) => each.types));
  return [...types].sort().map((type) => ({
    category: 0,
    type,
    isOn: switches.find((each) => each.type === type)?.isOn ?? true,
  }));
}

/**
 * The switches that a form changes, as they are after it. The form names all that it has shown: an unchecked box sends nothing, and a switch
 * that is new since then must not count as unchecked.
 */
export function changedCells(cells: ChoiceCell[], form: URLSearchParams): ChoiceCell[] {
  const [shown, on] = [new Set(form.getAll('cell')), new Set(form.getAll('on'))];
  return cells
    .filter((cell) => shown.has(keyOf(cell)) && on.has(keyOf(cell)) !== cell.isOn)
    .map((cell) => ({ ...cell, isOn: !cell.isOn }));
}

/** How often the messages of a category come. */
export interface FrequencyChange {
  category: number;
  /** Null: at once. */
  frequency: Frequency | null;
}

/** What may be chosen instead of at once. Messages in the app are not delayed. */
export const frequenciesOf = ({ default: byDefault, frequencies, types }: ChoiceCategory): Frequency[] =>
  byDefault === 'required' || (types.length > 0 && types.every((type) => type === 'inbox')) ? [] : frequencies;

/** The name of the field of a category. */
export const frequencyField = ({ id }: Pick<ChoiceCategory, 'id'>) => `${FREQUENCY}.${id}`;

/** The categories whose frequency a form changes. A form without the field, or with another value, changes nothing. */
export function changedFrequencies(categories: readonly ChoiceCategory[], form: URLSearchParams): FrequencyChange[] {
  return categories.flatMap((category) => {
    const given = form.get(frequencyField(category));
    const frequency = frequenciesOf(category).find((each) => each === given) ?? null;
    if ((frequency === null && given !== AT_ONCE) || frequency === category.frequency) return [];
    return [{ category: category.id, frequency }];
  });
}

/** What a user has chosen about how often the messages of a category come, as far as it allows that. */
export const frequencyAbout = (
  { id, frequencies }: Pick<ChoiceCategory, 'id' | 'frequencies'>,
  choices: readonly StoredChoice[],
): Frequency | null => {
  const chosen = choices.find((each) => each.categoryId === id && each.type === FREQUENCY)?.frequency;
  return frequencies.find((each) => each === chosen) ?? null;
};

/** The lists that a form joins or leaves, of those that it has shown. */
export function changedLists(lists: readonly OpenList[], form: URLSearchParams): ListChange[] {
  const [shown, joined] = [new Set(form.getAll('list')), new Set(form.getAll('join'))];
  return lists
    .filter(({ id, on }) => shown.has(String(id)) && joined.has(String(id)) !== on)
    .map(({ id, on }) => ({ id, on: !on }));
}

/** The stored choices about a category, by channel type. */
export const choicesAbout = (category: number, choices: readonly StoredChoice[]): Record<string, boolean> =>
  Object.fromEntries(choices.filter((each) => each.categoryId === category).map(({ type, isOn: on }) => [type, on]));

/** The choices about whole channel types. */
export const switchesIn = (choices: readonly StoredChoice[]) =>
  choices.filter(({ categoryId, eventId }) => categoryId === null && eventId === null);

/** Who has switched mail of the category off, if it is. */
export const mailOffBy = (category: number, choices: readonly StoredChoice[]) =>
  choices.find((each) => each.categoryId === category && each.type === 'email' && !each.isOn)?.chosenBy ?? null;

/**
 * Takes back what the link has switched off: the choice is forgotten. If mail of the category would be off without it, it is switched on
 * instead.
 */
export function undoLink(
  { id, ...category }: Pick<ChoiceCategory, 'id' | 'default' | 'channels'>,
  choices: readonly StoredChoice[],
): OwnWish[] {
  const { '': whole } = choicesAbout(id, choices);
  const isOnWithout = whole ?? (category.channels.email ?? category.default) !== 'off';
  return choices
    .filter(({ type, chosenBy, isOn: on }) => type === 'email' && chosenBy === 'link' && !on)
    .filter(({ categoryId, eventCategoryId }) => (categoryId ?? eventCategoryId) === id)
    .map(({ categoryId, eventId }) => ({
      subject: { categoryId, eventId },
      type: 'email',
      on: eventId === null && !isOnWithout ? true : null,
    }));
}

/** The time zone, the quiet hours and the locale of a user; null: those of the organization. */
export interface Clock {
  timeZone: string | null;
  quietHours: WeeklyRange[] | null;
  locale: string | null;
}

/** The most ranges of quiet hours on the page. */
export const MAX_RANGES = 7;

export const ZONES: readonly string[] = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];

/** Reads time zone and quiet hours. Null: the form does not have them. */
export function readClock(form: URLSearchParams, before: Clock): Clock | { problem: 'bad_zone' | 'bad_hours' } | null {
  const [zone, quiet] = [form.get('zone'), form.get('quiet')];
  if (zone === null || quiet === null) return null;
  if (zone !== '' && zone !== before.timeZone && !ZONES.includes(zone)) return { problem: 'bad_zone' };
  const ranges = quiet === 'own' ? readRanges(form) : null;
  if (ranges === undefined) return { problem: 'bad_hours' };
  return { timeZone: zone === '' ? null : zone, quietHours: ranges, locale: readLanguage(form, before) };
}

/** Null: as the organization. A form without the field, or with another language, changes nothing. */
function readLanguage(form: URLSearchParams, { locale }: Clock): string | null {
  const given = form.get('locale');
  if (given === '') return null;
  return LANGUAGES.find((language) => language === given) ?? locale;
}

/** Undefined: a range is incomplete. A range without times is left out. */
function readRanges(form: URLSearchParams): WeeklyRange[] | undefined {
  const ranges: WeeklyRange[] = [];
  for (let i = 1; i <= MAX_RANGES; i++) {
    const [from, to] = ['from', 'to'].map((name) => (form.get(`${name}${i}`) ?? '').slice(0, 5)) as [string, string];
    if (from === '' && to === '') continue;
    const days = DAYS.filter((day) => form.getAll(`days${i}`).includes(day));
    if (!TIME.test(from) || !TIME.test(to) || from === to || days.length === 0) return undefined;
    ranges.push({ days, from, to });
  }
  return ranges;
}

const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;
