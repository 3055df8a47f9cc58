import { StepBudget } from '../../../../platform/field/expression/when-value.js';
import { isObject } from '../../../../platform/field/is-object.js';
import type { ConfigField } from '../../../dispatcher.js';
import { answerNames } from '../../names.js';
import { foundIn } from '../../outcome.js';
import type { TemplateListing } from '../../provider.js';
import type { FilePlace } from '../../read/place.js';
import { readRequest } from '../../request/request.js';
import { checked, type Variables } from '../../value.js';
import type { FoundTemplate } from './template-problem.js';

/** Enough for a page of a hundred templates with all parts. */
const MAX_STEPS = 1_000_000;

export function readListing(place: FilePlace, auth: FilePlace | null, fields: readonly ConfigField[]): TemplateListing {
  place.only(['needs', 'request', 'found', 'next']);
  const settings = fields.map(({ key }) => key);
  const known = { settings, template: ['name'], page: null };
  return {
    needs: place.need('needs').oneOf(settings),
    request: readRequest(place.need('request'), auth, known, fields),
    found: checked(place.need('found'), answerNames(settings)),
    next: checked(place.need('next'), answerNames(settings)),
  };
}

/** The templates on a page of the list; null: the answer is not such a list. */
export function templatesIn({ found }: TemplateListing, answer: Variables): FoundTemplate[] | null {
  const list = foundIn(found, answer, new StepBudget(MAX_STEPS));
  return Array.isArray(list) ? list.filter(isObject).map(templateOf) : null;
}

export function nextPage({ next }: TemplateListing, answer: Variables): string | null {
  const page = foundIn(next, answer);
  return typeof page === 'string' && page !== '' ? page : null;
}

const templateOf = (raw: Readonly<Record<string, unknown>>): FoundTemplate => ({
  name: textIn(raw.name),
  language: textIn(raw.language),
  status: textIn(raw.status),
  isApproved: raw.approved === true,
  header: textIn(raw.header),
  body: textIn(raw.body),
  buttons: Array.isArray(raw.buttons) ? raw.buttons.map(textIn) : [],
  others: Array.isArray(raw.others) ? raw.others.map(wordsIn) : [],
});

const wordsIn = (value: unknown): string => (Array.isArray(value) ? value.map(textIn).join(' ') : textIn(value));

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');
