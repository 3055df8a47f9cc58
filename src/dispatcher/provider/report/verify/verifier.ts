import type { Outbound } from '../../../outbound/outbound.js';
import { parsed, type ReportRequest } from '../../../report/report.js';
import type { FilePlace } from '../../read/place.js';
import { momentOf } from '../moment.js';

/**
 * What a check found: the body of a genuine request; `handled` for a genuine request that reports nothing, such as one that confirms the
 * URL; `forged` for every other.
 */
type Checked = 'forged' | 'handled' | { body: unknown };

/** Proves that a provider sent a request, with the key in a setting of the channel. */
export interface Verifier {
  /** The setting with the key. */
  key: string;
  /** Why a text cannot be the key; null: it can. */
  problem: (key: string) => string | null;
  /** A key for examples whose setting has none. */
  sampleKey: string;
  /** Never throws. */
  check(request: ReportRequest, key: string, outbound: Pick<Outbound, 'getText'>): Promise<Checked>;
  /** The headers that the provider would add. Null: an example cannot be signed here, so it is taken as genuine. */
  sign: ((request: ReportRequest, key: string) => Record<string, string>) | null;
  /** Whether the signature in the body of an example holds, or it has none. */
  holds?: (request: ReportRequest, key: string) => boolean;
}

const MAX_AGE_SECONDS = 7 * 24 * 60 * 60;

/** The seconds for which a signed time counts. */
export function readMaxAge(timestamp: FilePlace): number {
  const maxAge = timestamp.need('max_age').number();
  if (maxAge >= 1 && maxAge <= MAX_AGE_SECONDS) return maxAge;
  return timestamp.need('max_age').fail(`must be from 1 to ${MAX_AGE_SECONDS} seconds`);
}

/** Also false for a time that lies as far in the future. */
export function isRecent(timestamp: string, maxAge: number, now: Date): boolean {
  const moment = momentOf(timestamp);
  return moment !== null && Math.abs(now.getTime() - moment.getTime()) <= maxAge * 1000;
}

/** A key that its owner chose, or that a provider made. */
export const atLeast = (length: number) => (key: string) =>
  key.length >= length ? null : `must have at least ${length} characters`;

export const SAMPLE_KEY = 'a-key-for-the-reports';

/** A request that is genuine or not, whatever it says. A body that cannot be read is not. */
export const checkedBody = (request: ReportRequest, isGenuine: boolean): Promise<Checked> => {
  const body = isGenuine ? bodyOf(request) : undefined;
  return Promise.resolve(body === undefined ? 'forged' : { body });
};

/** The text of a header; empty if there is none. */
export const headerOf = ({ headers }: ReportRequest, name: string): string => {
  const value = headers[name.toLowerCase()];
  return typeof value === 'string' ? value : '';
};

/** A form of many fields takes long to read. Those of providers have some thousand bytes. */
const MAX_FORM_BYTES = 64 * 1024;

/** The body as JSON, or the fields of a form. Undefined: it is neither. */
export function bodyOf({ headers, body }: ReportRequest): unknown {
  if (!/^application\/x-www-form-urlencoded\b/i.test(headers['content-type'] ?? '')) return parsed(body);
  return body.length > MAX_FORM_BYTES ? undefined : formOf(new URLSearchParams(body.toString()));
}

/** A field that is repeated is a list. */
export function formOf(fields: Iterable<[string, string]>): Record<string, unknown> {
  const form = new Map<string, string[]>();
  for (const [name, value] of fields) {
    const known = form.get(name);
    if (known) known.push(value);
    else form.set(name, [value]);
  }
  return Object.fromEntries([...form].map(([name, values]) => [name, values.length === 1 ? values[0] : values]));
}
