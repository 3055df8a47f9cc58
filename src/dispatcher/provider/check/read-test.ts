import { isDeepStrictEqual } from 'node:util';
import { readSample } from '../example/examples.js';
import { sampleConfig } from '../example/sample.js';
import { answerNames, plainSettings } from '../names.js';
import type { ProviderFile, ProviderTest, TestExample } from '../provider.js';
import type { FilePlace } from '../read/place.js';
import { readRequest } from '../request/request.js';
import { checked } from '../value.js';
import { readListing } from './template/listing.js';
import { checkOf } from './check-settings.js';

/** Reads the call that tries the settings. Its request knows nothing but the settings. */
export function readTest(
  place: FilePlace,
  auth: FilePlace | null,
  provider: Pick<ProviderFile, 'fields' | 'outcomes' | 'samples'>,
): ProviderTest {
  place.only(['request', 'ok', 'show', 'documentation', 'charged', 'examples', 'templates']);
  const settings = provider.fields.map(({ key }) => key);
  const show = place.at('show');
  const templates = place.at('templates');
  const test = {
    request: readRequest(place.need('request'), auth, { settings }, provider.fields),
    ok: checked(place.need('ok'), answerNames(settings)),
    show: show && checked(show, answerNames(settings)),
    documentation: place.at('documentation')?.text() ?? null,
    templates: templates && readListing(templates, auth, provider.fields),
    isCharged: place.at('charged')?.isTrue() ?? false,
  };
  const examples = place.at('examples');
  return { ...test, examples: examples ? readTestExamples(examples, provider, test) : [] };
}

/** Refuses examples that are wrong, and a call whose success or failure none of them shows. */
function readTestExamples(
  place: FilePlace,
  provider: Pick<ProviderFile, 'fields' | 'outcomes' | 'samples'>,
  test: Pick<ProviderTest, 'ok' | 'show'>,
): TestExample[] {
  const examples = place.items().map((each): TestExample => {
    const example = readSample(each.only(['name', 'settings', 'answer', 'request', 'expect']));
    const expected = each.need('expect').only(['ok', 'fault']);
    const settings = plainSettings(provider.fields, sampleConfig(provider, example));
    const found = shownCheck(checkOf(provider, test, example.answer, settings, []));
    if (!isDeepStrictEqual(found, expected.value))
      expected.fail(`is not the result, which is ${JSON.stringify(found)}`);
    return { ...example, expect: found };
  });
  if (!examples.some(({ request }) => request)) place.fail('must have one with a request');
  for (const ok of [true, false])
    if (!examples.some(({ expect }) => expect.ok === ok)) place.fail(`must have one with ok: ${String(ok)}`);
  return examples;
}

/** A result as examples write it. */
export const shownCheck = (check: TestExample['expect']): TestExample['expect'] =>
  check.ok ? { ok: true } : { ok: false, fault: check.fault };
