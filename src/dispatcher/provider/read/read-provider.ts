import { SENDER_FIELDS } from '../../email/sender/sender-settings.js';
import type { ConfigField } from '../../dispatcher.js';
import { checkedAsKeys, needsTokens, settingsInHeaders } from '../auth/auth.js';
import { readTest } from '../check/read-test.js';
import { readExamples } from '../example/examples.js';
import { requestNames } from '../names.js';
import { FilePlace } from './place.js';
import type { ProviderLimits, ProviderFile } from '../provider.js';
import { readOutcomes } from './read-outcomes.js';
import { readRefused } from './read-refused.js';
import { boundTo, readSettings } from './read-settings.js';
import { REPORT_KEY, readReports, withReportKeys } from '../report/read-reports.js';
import { readRequest } from '../request/request.js';
import { checkedForHeaders } from '../setting-problem.js';
import { checked } from '../value.js';

const KEYS = [
  'type',
  'label',
  'documentation',
  'checked',
  'parts',
  'address',
  'settings',
  'refuse',
  'request',
  'auth',
  'transport',
  'outcomes',
  'limits',
  'reports',
  'test',
  'examples',
];

const PARTS = [
  ...['subject', 'text', 'html', 'from', 'reply_to', 'headers'],
  ...['url', 'image', 'actions', 'data', 'template'],
] as ProviderFile['parts'];

/** What a customer writes into a channel, which has its settings already. */
const OWN_KEYS = ['parts', 'address', 'request', 'auth', 'outcomes', 'limits', 'reports', 'examples'];

/** The answers of a customer's provider are fewer, and each costs time when the channel is saved. */
const MAX_OWN = 20;

/** Reads the description that a channel of the type http has. */
export function readDescription(text: string, fields: readonly ConfigField[]): ProviderFile {
  const file = FilePlace.parse(text, null).only(OWN_KEYS);
  for (const list of [file.at('outcomes'), file.at('examples'), file.at('reports')?.at('examples')])
    if (list && list.items().length > MAX_OWN) list.fail(`must have at most ${MAX_OWN} entries`);
  const parts = file
    .at('parts')
    ?.items()
    .map((part) => part.oneOf(['subject', 'text', 'html'])) ?? ['subject', 'text'];
  // A request must not show the key of the reports.
  const keys = fields.map(({ key }) => key).filter((key) => key !== REPORT_KEY);
  if (needsTokens(file.at('auth'))) file.need('auth').fail('has a kind that only provider files can have');
  const samples = { secret: 'the-secret' };
  // A pattern can backtrack without end, and would hold the process for every tenant.
  file.at('address')?.at('pattern')?.fail('can only be used in provider files');
  const address = readAddress(file.at('address'), keys);
  const provider: Omit<ProviderFile, 'examples'> = {
    ...{ type: 'http', label: 'The provider', documentation: null, parts, fields, samples, ...address },
    ...{
      refuse: [],
      tellsReportUrl: false,
      showsUnread: false,
      test: null,
      isOwn: true,
      needsTokens: false,
      transport: 'http1',
    },
    reports: readReports(file.at('reports'), { fields, samples, address: address.address, isOwn: true }),
    requests: readRequests(file, keys, fields),
    outcomes: file.at('outcomes') ? readOutcomes(file.need('outcomes'), keys) : [],
    limits: { ...readLimits(file.at('limits')), attachments: false },
  };
  const examples = file.at('examples');
  return { ...provider, examples: examples ? readExamples(examples, provider) : [] };
}

/** Reads a provider file. Throws `ProviderProblem` with the line of the first mistake. `name`: the file in problems. */
export function readProvider(text: string, name: string | null): ProviderFile {
  const file = FilePlace.parse(text, name).only(KEYS);
  const type = file.need('type').text();
  if (!/^[a-z][a-z0-9_]{0,39}$/.test(type)) file.need('type').fail('must be small letters, digits and underscores');
  return readParts(file, type, file.need('label').text());
}

function readParts(file: FilePlace, type: string, label: string): ProviderFile {
  const parts = file
    .need('parts')
    .items()
    .map((part) => part.oneOf(PARTS));
  const { fields, samples } = readSettings(file.at('settings'));
  const address = readAddress(
    file.need('address'),
    fields.map(({ key }) => key),
  );
  const reports = readReports(file.at('reports'), { fields, samples, address: address.address, isOwn: false });
  const all = withReportKeys([...fields, ...(parts.includes('from') ? SENDER_FIELDS : [])], reports);
  const keys = all.map(({ key }) => key);
  const twice = keys.find((key, i) => keys.indexOf(key) < i);
  if (twice !== undefined) file.need('settings').fail(`has ${twice}, which every mail service has`);
  const requests = readRequests(file, keys, all);
  const outcomes = readOutcomes(file.need('outcomes'), keys);
  const given = { ...(parts.includes('from') ? { from: 'Acme <no-reply@acme.test>' } : {}), ...samples };
  const at = file.at('test');
  const test = at && readTest(at, file.at('auth'), { fields: all, outcomes, samples: given });
  const calls = [...requests, ...(test ? [test.request] : []), ...(test?.templates ? [test.templates.request] : [])];
  const provider: Omit<ProviderFile, 'examples'> = {
    ...{ type, label, parts, reports, requests, outcomes, samples: given, test, isOwn: false },
    needsTokens: needsTokens(file.at('auth')),
    transport: file.at('transport')?.oneOf(['http1', 'http2']) ?? 'http1',
    documentation: file.at('documentation')?.text() ?? null,
    ...address,
    fields: boundTo(
      checkedForHeaders(checkedAsKeys(all, file.at('auth')), settingsInHeaders(file.at('auth'))),
      calls.flatMap(({ hosts }) => hosts),
    ),
    refuse: readRefused(file.at('refuse'), keys),
    tellsReportUrl: reports !== null && /\bmessage\.report_url\b/.test(JSON.stringify(file.at('request')?.value)),
    showsUnread: showsUnread(file, fields),
    limits: readLimits(file.at('limits')),
  };
  return { ...provider, examples: readExamples(file.need('examples'), provider) };
}

/** The setting of a channel that shows how many messages are unread. */
export const BADGE = 'badge';

function showsUnread(file: FilePlace, fields: readonly ConfigField[]): boolean {
  const request = file.need('request');
  if (!/\bmessage\.unread\b/.test(JSON.stringify(request.value))) return false;
  if (!fields.some(({ key, kind }) => key === BADGE && kind === 'boolean'))
    request.fail(`has message.unread, so the file needs a setting ${BADGE} of the kind boolean`);
  return true;
}

function readRequests(file: FilePlace, keys: readonly string[], fields: readonly ConfigField[]) {
  const request = file.need('request');
  return (Array.isArray(request.value) ? request.items() : [request]).map((each) =>
    readRequest(each, file.at('auth'), requestNames(keys), fields),
  );
}

/**
 * A kind of address, `null` for a room, or `{ kind, room_if, pattern, format }`: with `room_if`, the settings decide; an address that does not match
 * the pattern is refused when a message is sent.
 */
function readAddress(place: FilePlace | null, settings: readonly string[]): AddressParts {
  if (!place || place.value === null) return { address: null, roomIf: null, addressProblem: null };
  if (typeof place.value === 'string') return { address: place.text(), roomIf: null, addressProblem: null };
  place.only(['kind', 'room_if', 'pattern', 'format']);
  const address = place.need('kind').text();
  const roomIf = place.at('room_if');
  return { address, roomIf: roomIf && checked(roomIf, { settings }), addressProblem: addressProblem(place, address) };
}

type AddressParts = Pick<ProviderFile, 'address' | 'roomIf' | 'addressProblem'>;

function addressProblem(place: FilePlace, kind: string): AddressParts['addressProblem'] {
  const pattern = place.at('pattern');
  if (!pattern) return null;
  const regexp = pattern.try(() => new RegExp(pattern.text(), 'u'));
  const format = place.need('format').text();
  return (to) => (regexp.test(to) ? null : `the address of the kind ${kind} must be ${format}`);
}

function readLimits(place: FilePlace | null): ProviderLimits {
  place?.only(['subject', 'text', 'body_bytes', 'data_bytes', 'reserved_data', 'too_large', 'empty', 'attachments']);
  const most = (key: string): number => {
    const at = place?.at(key);
    if (!at) return Infinity;
    return at.number() > 0 ? at.number() : at.fail('must be greater than 0');
  };
  return {
    subject: most('subject'),
    text: most('text'),
    bodyBytes: most('body_bytes'),
    dataBytes: most('data_bytes'),
    reservedData:
      place
        ?.at('reserved_data')
        ?.items()
        .map((each) => each.text()) ?? [],
    cutsText: place?.at('too_large')?.oneOf(['reject', 'cut_text']) === 'cut_text',
    attachments: place?.at('attachments')?.isTrue() ?? false,
    refusesEmpty: place?.at('empty')?.oneOf(['send', 'reject']) === 'reject',
  };
}
