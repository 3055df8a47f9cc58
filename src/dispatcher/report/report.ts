import type { IncomingHttpHeaders } from 'node:http';

/**
 * What a report says became of a message. Those of the first line form a ladder, in this order: a report only ever raises a delivery. So a
 * hard bounce and a complaint win over `delivered`, and a late `delivered` changes nothing. The others are about a number only.
 */
export type ReportKind =
  | 'delayed'
  | 'soft_bounced'
  | 'delivered'
  | 'seen'
  | 'bounced'
  | 'complained'
  | 'stopped'
  | 'resumed'
  | 'answered';

/** Who opened a message or followed its link: mail programs and scanners of links do so too. */
type SeenBy = 'human' | 'machine' | 'unknown';

/** One event that a provider reports. */
export interface ReportedEvent {
  /** The same when the provider sends the event again. */
  eventId: string;
  kind: ReportKind;
  at: Date;
  /** The reference that we sent along with the message (`referenceOf`). */
  reference?: string;
  /** The provider's id of the message. */
  providerId?: string;
  /** With `seen`. */
  by?: SeenBy;
  /** The provider's words. */
  detail?: string;
  /** For providers that report on numbers: the number, even if the message is not known. */
  number?: string;
}

/** A request of a provider. */
export interface ReportRequest {
  /** The URL that the provider called. */
  url: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
  now: Date;
}

/** What a genuine request reports. Null stands for an event that matters to nobody here. */
export type ReadReports = readonly (ReportedEvent | null)[];

/** Reads the reports of one channel's provider. */
export interface ReportReader {
  /**
   * The reports of a request. `forged`: the provider did not send it, or not for this channel. `too-large`: it takes more work than a request may.
   * Never throws.
   */
  read(request: ReportRequest): Promise<ReadReports | 'forged' | 'too-large'>;
  /** Answers a GET by which the provider tries the URL; null: it is not the provider. Left out: it does not try it. */
  confirm?(query: URLSearchParams): string | null;
  /** Who reports, for the audit log. */
  readonly provider?: string;
  /** Requests in a second that an organization may send to such readers; left out: as many as to all. */
  readonly perSecond?: number | undefined;
  /** What the provider expects as the answer; empty if any 200 will do. */
  readonly answer?: { type: string; body: string };
}

/** A provider whose events are read once they are known to be genuine. */
export const readerOf = (
  isGenuine: (request: ReportRequest, body: unknown) => boolean,
  read: (body: unknown, request: ReportRequest) => ReadReports,
): ReportReader => ({
  read: (request) => {
    const body = parsed(request.body);
    if (body === undefined || !isGenuine(request, body)) return Promise.resolve('forged');
    return Promise.resolve(read(body, request));
  },
});

export function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString()) as unknown;
  } catch {
    return undefined;
  }
}
