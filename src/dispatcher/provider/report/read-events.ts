import { StepBudget, TooManySteps, RuleError } from '../../../platform/field/expression/when-value.js';
import { valueIn } from '../../../platform/field/expression/when.js';
import { isObject } from '../../../platform/field/is-object.js';
import { entryOf } from '../../report/fields.js';
import { referenceInMessageId } from '../../report/reference.js';
import type { ReportedEvent, ReportRequest } from '../../report/report.js';
import type { DescribedReports } from './described-reports.js';
import { momentOf } from './moment.js';
import { formOf } from './verify/verifier.js';

/** What the events of one request may cost: some thousand events of a provider, some hundred of a customer's own. */
const STEPS = 100_000;
const OWN_STEPS = 10_000;

const MAX_EVENTS = 1000;

/** Events about numbers, which each are a transaction. Providers send one at a time. */
const MAX_NUMBERS = 20;

/** Of what one field says. Less of it is stored. */
const MAX_LENGTH = 2000;
const MAX_WORDS = 20;

/** An event with the provider's name for its kind; null: the file has no such kind. */
export interface ReadEvent {
  name: string;
  event: ReportedEvent | null;
}

/** What a genuine request says. `too-large`: it takes more work than one request may. */
export function readEvents(
  { events, kinds }: Pick<DescribedReports, 'events' | 'kinds'>,
  body: unknown,
  { headers, url, now }: ReportRequest,
  isOwn: boolean,
): ReadEvent[] | 'too-large' {
  const scope = {
    headers,
    body,
    /** Few files use it. */
    get query() {
      return URL.canParse(url) ? formOf(new URL(url).searchParams) : {};
    },
  };
  try {
    const found = valueIn(events, scope, new StepBudget(isOwn ? OWN_STEPS : STEPS));
    const list: unknown[] = Array.isArray(found) ? found : [found];
    if (list.length > MAX_EVENTS) return 'too-large';
    const read = list.map((each) => readEvent(isObject(each) ? each : {}, kinds, now));
    return read.filter(({ event }) => event?.number !== undefined).length > MAX_NUMBERS ? 'too-large' : read;
  } catch (error) {
    // A RangeError: the values are nested more deeply than the expression can follow.
    if (error instanceof TooManySteps || error instanceof RangeError) return 'too-large';
    if (error instanceof RuleError) return [{ name: '', event: null }];
    throw error;
  }
}

function readEvent(found: Readonly<Record<string, unknown>>, kinds: DescribedReports['kinds'], now: Date): ReadEvent {
  const name = wordsOf(found.kind);
  const kind = entryOf(kinds, name);
  if (kind === undefined) return { name, event: null };
  const { reference, message_id: messageId, provider_id: providerId, address, by } = found;
  return {
    name,
    event: {
      // A provider that numbers no events says each thing about a message once.
      eventId: wordsOf(found.event_id) || name,
      kind,
      at: momentOf(found.at) ?? now,
      reference: wordsOf(reference) || referenceInMessageId(wordsOf(messageId)),
      providerId: wordsOf(providerId),
      detail: wordsOf(found.detail),
      ...(kind === 'seen' ? { by: by === 'human' || by === 'machine' ? by : 'unknown' } : {}),
      ...(kind === 'stopped' || kind === 'resumed' ? { number: numberOf(wordsOf(address)) } : {}),
    },
  };
}

/** Many services write numbers without the plus. */
const numberOf = (text: string): string => (/^\d/.test(text) ? `+${text}` : text);

/** A list is joined with spaces, without its empty items. A list in it as well. */
function wordsOf(value: unknown): string {
  if (!Array.isArray(value)) return wordOf(value);
  const words = value.slice(0, MAX_WORDS).map((each) => (Array.isArray(each) ? joined(each) : wordOf(each)));
  return joined(words);
}

const joined = (list: readonly unknown[]): string =>
  list.slice(0, MAX_WORDS).map(wordOf).filter(Boolean).join(' ').slice(0, MAX_LENGTH);

function wordOf(value: unknown): string {
  if (typeof value === 'string') return value.slice(0, MAX_LENGTH);
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}
