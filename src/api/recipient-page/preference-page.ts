import { escapeText } from '../../platform/http/html-page.js';
import type { HtmlPage } from '../../platform/http/html-page.js';
import { DAYS } from '../../platform/field/weekly-range.js';
import type { WeeklyRange } from '../../rules/ruleset/rule.js';
import { AT_ONCE } from '../preference/read-choices.js';
import type { MutedThread } from '../preference/mute/mute.js';
import type { ListChange, OpenList } from '../distribution-list/open/open-lists.js';
import { MAX_RANGES, ZONES, cellsOf, frequenciesOf, frequencyField, keyOf } from './choices.js';
import type { ChoiceCell, ChoiceCategory, Clock, FrequencyChange } from './choices.js';
import { deviceList } from './device-list.js';
import { mutedList } from './mute/muted-list.js';
import type { PageDevice } from './device-list.js';
import { maskedAddress, paragraph, recipientPage } from './recipient-layout.js';
import type { PageBrand } from './recipient-layout.js';
import { LANGUAGES, languageOf, speak } from './texts.js';
import type { Language, Say, TextName } from './texts.js';

export interface PreferenceView extends PageBrand {
  email: string;
  organizationZone: string | null;
  organizationHours: WeeklyRange[] | null;
  organizationLocale: string | null;
  clock: Clock;
  categories: ChoiceCategory[];
  masters: ChoiceCell[];
  lists: OpenList[];
  devices: PageDevice[];
  muted: MutedThread[];
  /** The name of a channel type that has no text here. */
  labels: Record<string, string>;
}

/** What a form has changed, or why it has not. */
export type Saved =
  | { changed: ChoiceCell[]; frequencies: FrequencyChange[]; lists: ListChange[]; isClockChanged: boolean }
  | { problem: 'bad_zone' | 'bad_hours' }
  /** The name of the device. */
  | { removed: string }
  /** The value of the thread. */
  | { unmuted: string };

/** One form for all choices, and one for each device. `link`: the way from the page to the page of the link. */
export function preferencePage(
  view: PreferenceView,
  language: Language,
  link: string,
  saved: Saved | null = null,
): HtmlPage {
  const say = speak(language, view.pageTexts);
  const { organization, email, categories } = view;
  const zone = view.clock.timeZone ?? view.organizationZone ?? 'UTC';
  const body = [
    ...(saved === null ? [] : [notice(view, say, saved)]),
    paragraph(say('choices_for', { address: maskedAddress(email) })),
    '<form method="post">',
    ...(categories.length + view.lists.length === 0 ? [paragraph(say('no_categories'))] : []),
    ...projects(view, say),
    ...everything(view, say),
    ...listFields(view, say),
    `<h2>${escapeText(say('when'))}</h2>`,
    languageField(view, say),
    zoneField(view, say),
    quietFields(view, say),
    `<button>${escapeText(say('save'))}</button>`,
    '</form>',
    ...mutedList(view.muted, language, zone, say),
    ...deviceList(view.devices, language, zone, say),
  ];
  return recipientPage({
    ...{ language, brand: view, link },
    title: say('choices_title', { organization }),
    body: body.join('\n'),
  });
}

function notice(view: PreferenceView, say: Say, saved: Saved): string {
  if ('problem' in saved) return `<p class="notice" role="alert">${escapeText(say(saved.problem))}</p>`;
  if ('removed' in saved)
    return `<p class="notice" role="status">${escapeText(say('device_removed', { device: saved.removed }))}</p>`;
  if ('unmuted' in saved)
    return `<p class="notice" role="status">${escapeText(say('unmuted', { thread: saved.unmuted }))}</p>`;
  const { changed, frequencies, lists, isClockChanged } = saved;
  const lines = [
    ...changed.map((cell) => `${nameOf(view, say, cell)}: ${say(cell.isOn ? 'on' : 'off')}`),
    ...frequencies.map(({ category, frequency }) => frequencyLine(view, say, category, frequency)),
    ...lists.map(({ id, on }) => `${view.lists.find((list) => list.id === id)?.name}: ${say(on ? 'on' : 'off')}`),
    ...(isClockChanged ? clockLines(view, say) : []),
  ];
  if (lines.length === 0) return `<p class="notice" role="status">${escapeText(say('unchanged'))}</p>`;
  const items = lines.map((line) => `<li>${escapeText(line)}</li>`).join('');
  return `<div class="notice" role="status">${escapeText(say('saved'))}<ul>${items}</ul></div>`;
}

function nameOf(view: PreferenceView, say: Say, { category, type }: ChoiceCell): string {
  const name = category === 0 ? say('everything') : view.categories.find(({ id }) => id === category)!.name;
  return type === '' ? name : `${name}, ${typeName(view, say, type)}`;
}

function frequencyLine(view: PreferenceView, say: Say, id: number, frequency: FrequencyChange['frequency']): string {
  const category = view.categories.find((each) => each.id === id)!;
  return `${category.name}: ${frequencyName(category, say, frequency)}`;
}

const frequencyName = ({ digestAt: time }: ChoiceCategory, say: Say, frequency: FrequencyChange['frequency']): string =>
  frequency === null ? say('at_once') : say(frequency, { time });

const clockLines = ({ clock, organizationHours, organizationZone, organizationLocale }: PreferenceView, say: Say) => [
  `${say('language')}: ${languageName(clock.locale ?? organizationLocale ?? 'en')}`,
  `${say('time_zone')}: ${zoneName(clock.timeZone ?? organizationZone ?? 'UTC')}`,
  `${say('quiet_hours')}: ${hoursText(clock.quietHours ?? organizationHours, say)}`,
];

/** Types that have a text of their own. Providers such as Slack are known by their name. */
const KNOWN: readonly string[] = ['email', 'sms', 'inbox', 'webpush'] satisfies TextName[];

const typeName = ({ labels }: PreferenceView, say: Say, type: string) =>
  KNOWN.includes(type) ? say(type as TextName) : (labels[type] ?? type);

function projects(view: PreferenceView, say: Say): string[] {
  return view.categories.flatMap((category, i) => [
    ...(view.categories[i - 1]?.project === category.project ? [] : [`<h2>${escapeText(category.project)}</h2>`]),
    categoryField(view, say, category),
  ]);
}

function categoryField(view: PreferenceView, say: Say, category: ChoiceCategory): string {
  const { name, description, types } = category;
  const about = description === '' ? '' : paragraph(description);
  const cells = cellsOf(category);
  const isRequired = cells.length === 0;
  const boxes = isRequired
    ? (types.length === 0 ? [''] : types).map((type) => disabledBox(type === '' ? name : typeName(view, say, type)))
    : cells.map((cell) => box(cell, cell.type === '' ? name : typeName(view, say, cell.type)));
  const why = isRequired ? paragraph(say('always', { organization: view.organization })) : '';
  return field(name, `${about}${why}<div class="row">${boxes.join('')}</div>${frequencySelect(category, say)}`);
}

function frequencySelect(category: ChoiceCategory, say: Say): string {
  const allowed = frequenciesOf(category);
  if (allowed.length === 0) return '';
  const options = [null, ...allowed].map((each) => {
    const selected = each === category.frequency ? ' selected' : '';
    return `<option value="${each ?? AT_ONCE}"${selected}>${escapeText(frequencyName(category, say, each))}</option>`;
  });
  return `<label class="field">${escapeText(say('how_often'))}<select name="${frequencyField(category)}">${options.join('')}</select></label>`;
}

function everything(view: PreferenceView, say: Say): string[] {
  if (view.masters.length === 0) return [];
  const boxes = view.masters.map((cell) => box(cell, typeName(view, say, cell.type)));
  const html = `${paragraph(say('everything_about'))}<div class="row">${boxes.join('')}</div>`;
  return [`<div class="master">${field(say('everything'), html)}</div>`];
}

/** The lists that the user may join, each with a box. */
function listFields({ lists }: PreferenceView, say: Say): string[] {
  if (lists.length === 0) return [];
  return [
    `<h2>${escapeText(say('lists'))}</h2>`,
    ...lists.map(({ id, name, description, on }) => {
      const about = description === '' ? '' : paragraph(description);
      return field(name, `${about}<div class="row">${checkbox('list', 'join', String(id), on, say('join'))}</div>`);
    }),
  ];
}

const field = (legend: string, html: string) => `<fieldset><legend>${escapeText(legend)}</legend>${html}</fieldset>`;

function box(cell: ChoiceCell, label: string): string {
  return checkbox('cell', 'on', keyOf(cell), cell.isOn, label);
}

/** `shown` says that the form has it: an unchecked box sends nothing. */
function checkbox(shown: string, name: string, value: string, isOn: boolean, label: string): string {
  const key = escapeText(value);
  return `<label class="check"><input type="hidden" name="${shown}" value="${key}"><input type="checkbox" name="${name}" value="${key}"${isOn ? ' checked' : ''}>${escapeText(label)}</label>`;
}

const disabledBox = (label: string) =>
  `<label class="check"><input type="checkbox" checked disabled>${escapeText(label)}</label>`;

/** In the language itself, so that everyone finds theirs. */
const languageName = (locale: string) => new Intl.DisplayNames(locale, { type: 'language' }).of(locale) ?? locale;

function languageField({ clock, organization, organizationLocale }: PreferenceView, say: Say): string {
  const { locale } = clock;
  // The user's own locale, such as de-AT, stands in the place of its language.
  const own = languageOf(locale);
  const locales = [
    ...LANGUAGES.map((language) => (language === own ? locale! : language)),
    ...(own || !locale ? [] : [locale]),
  ];
  const option = (value: string, text: string) =>
    `<option value="${escapeText(value)}"${value === (locale ?? '') ? ' selected' : ''}>${escapeText(text)}</option>`;
  const usual = option(
    '',
    say('language_default', { organization, language: languageName(organizationLocale ?? 'en') }),
  );
  const all = locales.map((each) => option(each, languageName(each)));
  return `<label class="field">${escapeText(say('language'))}<select name="locale">${usual}${all.join('')}</select></label>`;
}

const zoneName = (zone: string) => zone.replaceAll('_', ' ');

function zoneField({ clock, organization, organizationZone }: PreferenceView, say: Say): string {
  const zones = clock.timeZone === null || ZONES.includes(clock.timeZone) ? ZONES : [clock.timeZone, ...ZONES];
  const option = (value: string, text: string) =>
    `<option value="${escapeText(value)}"${value === (clock.timeZone ?? '') ? ' selected' : ''}>${escapeText(text)}</option>`;
  const usual = option('', say('zone_default', { organization, zone: zoneName(organizationZone ?? 'UTC') }));
  const all = zones.map((zone) => option(zone, zoneName(zone)));
  return `<label class="field">${escapeText(say('time_zone'))}<select name="zone">${usual}${all.join('')}</select></label>`;
}

function quietFields({ clock, organization, organizationHours }: PreferenceView, say: Say): string {
  const { quietHours } = clock;
  const choice = (value: string, text: string, isChosen: boolean) =>
    `<label class="check"><input type="radio" name="quiet" value="${value}"${isChosen ? ' checked' : ''}>${escapeText(text)}</label>`;
  const hours = hoursText(organizationHours, say);
  const own = quietHours ?? [];
  const shown = own.length < MAX_RANGES ? [...own, null] : own.slice(0, MAX_RANGES);
  return field(
    say('quiet_hours'),
    [
      paragraph(say('quiet_about')),
      `<div>${choice('default', say('quiet_default', { organization, hours }), quietHours === null)}</div>`,
      `<div>${choice('own', say('quiet_own'), quietHours !== null)}</div>`,
      ...shown.map((range, i) => rangeField(range, i + 1, say)),
    ].join(''),
  );
}

function rangeField(range: WeeklyRange | null, number: number, say: Say): string {
  const time = (name: 'from' | 'to') =>
    `<label class="field">${escapeText(say(name))}<input type="time" name="${name}${number}" value="${escapeText(range?.[name] ?? '')}"></label>`;
  const days = DAYS.map((day) => {
    const isChosen = range === null || daysOf(range).includes(day);
    return `<label class="check"><input type="checkbox" name="days${number}" value="${day}"${isChosen ? ' checked' : ''}>${escapeText(say(day))}</label>`;
  });
  return `<div role="group" aria-label="${escapeText(`${say('quiet_own')} ${number}`)}"><div class="row">${time('from')}${time('to')}</div><div class="row">${days.join('')}</div></div>`;
}

const daysOf = ({ days }: WeeklyRange): readonly string[] => days ?? DAYS;

function hoursText(ranges: WeeklyRange[] | null, say: Say): string {
  if (ranges === null || ranges.length === 0) return say('none');
  return ranges
    .map((range) => {
      const days = daysOf(range);
      const named =
        days.length === DAYS.length
          ? ''
          : `${DAYS.filter((day) => days.includes(day))
              .map((day) => say(day))
              .join(', ')} `;
      return `${named}${range.from}–${range.to}`;
    })
    .join('; ');
}
