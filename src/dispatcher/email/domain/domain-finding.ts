/**
 * What DNS says about one part of a domain that mails come from.
 *
 * - `ok`: the record is there, and fits the channel.
 * - `missing`: there is no such record.
 * - `wrong`: the record does not do what the channel needs.
 * - `unknown`: the name servers did not answer.
 */
export interface DomainFinding {
  /** The domain of From. */
  domain: string;
  check: 'spf' | 'dkim' | 'dmarc' | 'alignment';
  state: 'ok' | 'missing' | 'wrong' | 'unknown';
  /** The name of the TXT record; null: it is not about one record. */
  record: string | null;
  /** One sentence. */
  detail: string;
  /** The TXT record to publish; null: none, or it cannot be known. */
  publish: string | null;
}

/** Looks up the TXT records of a name, each joined to one text. None: there is no such record. Throws if the name servers do not answer. */
export type TextRecords = (name: string) => Promise<string[]>;

/** `v=DKIM1; k=rsa` as a map. */
export function tagsOf(record: string): Map<string, string> {
  return new Map(
    record.split(';').flatMap((tag) => {
      const [, name, value] = /^\s*([A-Za-z][A-Za-z0-9_]*)\s*=([^]*)$/.exec(tag) ?? [];
      return name === undefined ? [] : [[name.toLowerCase(), value!.trim()] as const];
    }),
  );
}
