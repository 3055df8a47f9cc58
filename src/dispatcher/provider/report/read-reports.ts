import type { ConfigField } from '../../dispatcher.js';
import { entryOf } from '../../report/fields.js';
import type { ReportKind } from '../../report/report.js';
import type { FilePlace } from '../read/place.js';
import { READERS, reportKeyField } from '../report-readers.js';
import { checked } from '../value.js';
import type { DescribedReports, NamedReports } from './described-reports.js';
import { readHandshake } from './handshake.js';
import { readVerify } from './verify/read-verify.js';
import { readReportExamples } from './report-examples.js';

/** The setting with the key of the reports, for a file that does not have its own. */
export const REPORT_KEY = 'report_key';

const NAMES = { headers: null, body: null, query: null };
const STATES = ['delayed', 'soft_bounced', 'delivered', 'seen', 'bounced', 'complained'] as const;
const OF_NUMBERS = ['stopped', 'resumed'] as const;
const MAX_KINDS = 100;

/** The parts of a file that its reports depend on. */
interface Given {
  fields: readonly ConfigField[];
  samples: Readonly<Record<string, unknown>>;
  address: string | null;
  isOwn: boolean;
}

/** `sendgrid`; `{ reader, key }` if the key is a setting of the file; or how requests are verified, and what they say. */
export function readReports(place: FilePlace | null, given: Given): NamedReports | DescribedReports | null {
  if (!place) return null;
  const names = Object.keys(READERS);
  const settings = given.fields.map(({ key }) => key);
  if (!given.isOwn && typeof place.value === 'string') return { reader: place.oneOf(names), key: REPORT_KEY };
  if (!given.isOwn && place.at('reader')) {
    place.only(['reader', 'key']);
    return { reader: place.need('reader').oneOf(names), key: place.need('key').oneOf(settings) };
  }
  place.only(['verify', 'handshake', 'events', 'kinds', 'setup', 'examples']);
  const at = place.at('handshake');
  const described = {
    handshake: at && readHandshake(at, settings),
    verifiers: readVerify(place.need('verify'), [...new Set([...settings, REPORT_KEY])]),
    events: checked(place.need('events'), NAMES),
    kinds: readKinds(place.need('kinds'), given.address),
  };
  const setup = given.isOwn ? (place.at('setup')?.text() ?? '') : place.need('setup').text();
  const examples = readReportExamples(place.need('examples'), described, given.samples, given.isOwn);
  return { ...described, setup, examples };
}

function readKinds(place: FilePlace, address: string | null): Record<string, ReportKind> {
  const entries = place.entries();
  if (entries.length === 0 || entries.length > MAX_KINDS) place.fail(`must have from 1 to ${MAX_KINDS} kinds`);
  return Object.fromEntries(
    entries.map(([name, kind]) => [name, kind.oneOf(address === 'phone' ? [...STATES, ...OF_NUMBERS] : STATES)]),
  );
}

/** The settings with a check of the keys of reports, and with one for the key if the file has none. */
export function withReportKeys(
  fields: readonly ConfigField[],
  reports: NamedReports | DescribedReports | null,
): readonly ConfigField[] {
  if (reports === null) return fields;
  if ('reader' in reports)
    return fields.some(({ key }) => key === reports.key) ? fields : [...fields, reportKeyField(reports.reader)];
  const problems = Object.fromEntries(reports.verifiers.map(({ key, problem }) => [key, problem]));
  const own = fields.find(({ key }) => key === REPORT_KEY) ?? KEY_FIELD;
  // The last of the settings, as in channels of the type email.
  const all = problems[REPORT_KEY] ? [...fields.filter(({ key }) => key !== REPORT_KEY), own] : fields;
  return all.map((field) => {
    const problem = entryOf(problems, field.key);
    return problem ? { ...field, problem: (value) => field.problem?.(value) ?? problem(value) } : field;
  });
}

export const KEY_FIELD: ConfigField = {
  key: REPORT_KEY,
  label: 'Key of the reports',
  kind: 'string',
  required: false,
  secret: true,
  max: 500,
  help: 'The key that reports are verified with. Unset: reports are refused',
};
