import { isDeepStrictEqual } from 'node:util';
import type { ReportRequest } from '../../report/report.js';
import type { FilePlace } from '../read/place.js';
import type { DescribedReports, ReportExample, ShownEvent } from './described-reports.js';
import { momentOf } from './moment.js';
import { readEvents, type ReadEvent } from './read-events.js';
import { bodyOf, type Verifier } from './verify/verifier.js';

/** When requests of examples come in, unless they say so. */
const SAMPLE_TIME = '2030-01-01T08:00:00Z';

const SAMPLE_URL = 'https://notify.example.com/reports/acme/channel';

/** Keys of examples, by the setting that has them. */
type Keys = Readonly<Record<string, unknown>>;

type Described = Omit<DescribedReports, 'examples' | 'setup'>;

/**
 * Reads the examples. Refuses a file with a kind that no example shows, or with an example that is wrong: one whose own signature does not
 * hold, or that says something else.
 */
export function readReportExamples(place: FilePlace, reports: Described, keys: Keys, isOwn: boolean): ReportExample[] {
  const shown = new Set<string>();
  const examples = place.items().map((each) => {
    const example = readExample(each, reports.verifiers, keys);
    const found = eventsOf(example.request, reports, isOwn);
    if (found === 'too-large') return each.fail('takes more work than a report may');
    for (const { name } of found) shown.add(name);
    const events = found.flatMap(({ name, event }) => (event ? [shownEvent(name, event, example.request.now)] : []));
    if (!isDeepStrictEqual(events, example.expect))
      each.need('expect').fail(`is not what the request says, which is ${JSON.stringify(events)}`);
    return example;
  });
  const missing = Object.keys(reports.kinds).find((name) => !shown.has(name));
  if (missing !== undefined) place.fail(`has none for the kind ${missing}`);
  return examples;
}

function eventsOf(request: ReportRequest, reports: Described, isOwn: boolean): ReadEvent[] | 'too-large' {
  return readEvents(reports, bodyOf(request), request, isOwn);
}

/** An event as examples write it, without what follows from the request. */
function shownEvent(
  name: string,
  { eventId, kind, at, reference, providerId, detail, by, number }: NonNullable<ReadEvent['event']>,
  now: Date,
): ShownEvent {
  return {
    ...(eventId === name ? {} : { event_id: eventId }),
    kind,
    ...(at.getTime() === now.getTime() ? {} : { at: at.toISOString() }),
    ...(reference ? { reference } : {}),
    ...(providerId ? { provider_id: providerId } : {}),
    ...(detail ? { detail } : {}),
    ...(by === undefined || by === 'unknown' ? {} : { by }),
    ...(number === undefined ? {} : { address: number }),
  };
}

const EXPECTED = ['event_id', 'kind', 'at', 'reference', 'provider_id', 'detail', 'by', 'address'];

function readExample(place: FilePlace, verifiers: readonly Verifier[], keys: Keys): ReportExample {
  place.only(['name', 'at', 'url', 'key', 'headers', 'body', 'form', 'text', 'expect']);
  const expect = place.need('expect');
  for (const event of expect.items()) event.only(EXPECTED);
  const request = requestOf(place);
  return {
    name: place.at('name')?.text() ?? '',
    request: signed(place, request, verifiers, keys),
    expect: expect.value as ShownEvent[],
  };
}

function requestOf(place: FilePlace): ReportRequest {
  const [body, form, text] = ['body', 'form', 'text'].map((key) => place.at(key));
  if ([body, form, text].filter(Boolean).length !== 1) place.fail('must have one of body, form and text');
  const at = place.at('at');
  const url = place.at('url');
  const headers = (place.at('headers')?.entries() ?? []).map(([name, { value }]) => [
    name.toLowerCase(),
    String(value),
  ]);
  return {
    url: url ? url.text() : SAMPLE_URL,
    headers: {
      'content-type': form ? 'application/x-www-form-urlencoded' : 'application/json',
      ...(Object.fromEntries(headers) as Record<string, string>),
    },
    body: Buffer.from(form ? formText(form) : body ? JSON.stringify(body.value) : text!.text()),
    now: (at ? momentOf(at.value) : new Date(SAMPLE_TIME)) ?? at!.fail('must be a time'),
  };
}

const formText = (form: FilePlace): string =>
  new URLSearchParams(form.entries().map(([name, { value }]): [string, string] => [name, String(value)])).toString();

/** The request with the headers that prove it: its own, which must hold, or those that the first verifier makes. */
function signed(place: FilePlace, request: ReportRequest, verifiers: readonly Verifier[], keys: Keys): ReportRequest {
  const [first] = verifiers;
  const key = place.at('key')?.text() ?? keyFor(first!, keys);
  if (first!.holds?.(request, key) === false)
    place.fail('has a signature that does not hold, with the key of the examples');
  if (!first!.sign) return request;
  const added = Object.entries(first!.sign(request, key)).map(([name, value]) => [name.toLowerCase(), value] as const);
  const own = added.filter(([name]) => request.headers[name] !== undefined);
  // The id and the time are signed, and an example may say only these.
  const [signature, value] = added.at(-1)!;
  if (own.some(([name]) => name === signature) && request.headers[signature] !== value)
    place.fail(`has a ${signature} that is not the one of its request, with the key of the examples`);
  return { ...request, headers: { ...Object.fromEntries(added), ...request.headers } };
}

const keyFor = ({ key, sampleKey }: Verifier, keys: Keys): string =>
  typeof keys[key] === 'string' ? keys[key] : sampleKey;
