import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../../platform/field/is-object.js';
import type { Outcome } from '../../dispatcher.js';
import { plainSettings } from '../names.js';
import { readAnswer } from '../outcome.js';
import type { FilePlace } from '../read/place.js';
import type { Example, ExpectedOutcome, ExpectedRequest, ProviderFile } from '../provider.js';
import { sampleConfig } from './sample.js';

const EXPECTED = [
  'kind',
  'provider_id',
  'fault',
  'cause',
  'slow_down',
  'retry_after',
  'about',
  'sets_aside',
  'gone_at',
];

/** Reads the examples, and refuses a file with an outcome that no example shows, or with an example that is wrong. */
export function readExamples(place: FilePlace, provider: Omit<ProviderFile, 'examples'>): Example[] {
  const places = place.items();
  const examples = places.map(readExample);
  if (!examples.some(({ request }) => request)) place.fail('must have one with a request');
  const shown = new Set<unknown>();
  for (const [i, example] of examples.entries()) {
    const settings = plainSettings(provider.fields, sampleConfig(provider, example));
    const { entry, outcome } = readAnswer(provider, example.answer, settings, []);
    shown.add(entry);
    const found = shownOutcome(outcome);
    if (!isDeepStrictEqual(found, example.expect))
      places[i]!.need('expect').fail(`is not the outcome, which is ${JSON.stringify(found)}`);
  }
  const missing = provider.outcomes.find((entry) => !shown.has(entry));
  if (missing) place.fail(`has none for the outcome of ${missing.when.text}`);
  return examples;
}

/** An outcome as examples write it. */
export function shownOutcome(outcome: Outcome): ExpectedOutcome {
  const { kind } = outcome;
  if (kind === 'sent')
    return { kind, ...(outcome.providerId === undefined ? {} : { provider_id: outcome.providerId }) };
  if (kind === 'rejected')
    return {
      ...{ kind, fault: outcome.fault },
      ...(outcome.cause ? { cause: outcome.cause } : {}),
      ...(outcome.setsAside ? { sets_aside: true } : {}),
      ...(outcome.goneAt ? { gone_at: outcome.goneAt.getTime() } : {}),
    };
  return {
    kind,
    ...(outcome.isSlowDown ? { slow_down: true } : {}),
    ...(outcome.afterSeconds === undefined ? {} : { retry_after: outcome.afterSeconds }),
    ...(outcome.about ? { about: outcome.about } : {}),
    ...(outcome.setsAside ? { sets_aside: true } : {}),
  };
}

function readExample(place: FilePlace): Example {
  place.only(['name', 'settings', 'message', 'answer', 'request', 'expect']);
  const expected = place.need('expect').only(EXPECTED);
  expected.need('kind').oneOf(['sent', 'retry', 'rejected']);
  const message = mapAt(place, 'message') ?? {};
  return { ...readSample(place), message, expect: expected.value as ExpectedOutcome };
}

/** The part of an example that says what is sent and what is answered. */
export function readSample(place: FilePlace): Pick<Example, 'name' | 'settings' | 'answer' | 'request'> {
  const answer = place.need('answer').only(['status', 'headers', 'body', 'text']);
  const body = answer.at('body');
  const request = place.at('request')?.only(['method', 'url', 'headers', 'json', 'form']);
  return {
    name: place.at('name')?.text() ?? '',
    settings: (mapAt(place, 'settings') ?? {}) as Example['settings'],
    answer: {
      status: answer.need('status').number(),
      headers: headersOf(answer),
      text: body ? JSON.stringify(body.value) : String(answer.at('text')?.value ?? ''),
    },
    request: (request?.value as ExpectedRequest | undefined) ?? null,
  };
}

const headersOf = (answer: FilePlace): Record<string, string> =>
  Object.fromEntries(
    (answer.at('headers')?.entries() ?? []).map(([name, { value }]) => [name.toLowerCase(), String(value)]),
  );

function mapAt(place: FilePlace, key: string): Record<string, unknown> | null {
  const map = place.at(key);
  if (!map) return null;
  return isObject(map.value) ? map.value : map.fail('must be a map');
}
