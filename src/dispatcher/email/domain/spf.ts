import type { DomainFinding } from './domain-finding.js';

type Verdict = Pick<DomainFinding, 'state' | 'detail' | 'publish'>;

/** An example, with a name that does not exist: we do not know which server the mails leave from. */
const EXAMPLE = 'v=spf1 include:spf.YOUR-MAIL-SERVICE.example ~all';

/** What the TXT records of the domain of the envelope sender say about SPF (RFC 7208). */
export function judgeSpf(records: readonly string[]): Verdict {
  const found = records.filter((record) => /^v=spf1(\s|$)/i.test(record));
  const [record] = found;
  if (record === undefined)
    return {
      state: 'missing',
      detail: 'There is no SPF record: receivers cannot tell which servers may send for this domain.',
      publish: EXAMPLE,
    };
  if (found.length > 1)
    return {
      state: 'wrong',
      detail: `There are ${found.length} SPF records: receivers then use none. Merge them.`,
      publish: null,
    };
  if (/(^|\s)\+?all(\s|$)/i.test(record))
    return { state: 'wrong', detail: 'The SPF record allows every server to send (all).', publish: null };
  return {
    state: 'ok',
    detail: `${record}. Whether it names the server that your mails leave from is not checked.`,
    publish: null,
  };
}
