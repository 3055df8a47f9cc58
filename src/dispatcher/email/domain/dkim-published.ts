import { publicKeyOf } from '../dkim/dkim-key.js';
import type { DkimKey } from '../dkim/dkim-key.js';
import { dkimRecord } from '../dkim/dkim-record.js';
import { tagsOf } from './domain-finding.js';
import type { DomainFinding } from './domain-finding.js';

type Verdict = Pick<DomainFinding, 'state' | 'detail' | 'publish'>;

/** Whether the TXT records at the name of a key publish that key (RFC 6376). */
export function judgeDkim(records: readonly string[], key: DkimKey): Verdict {
  const publish = dkimRecord(key);
  const wrong = (detail: string): Verdict => ({ state: 'wrong', detail, publish });
  const found = records.filter((record) => tagsOf(record).has('p'));
  if (found.length === 0)
    return {
      state: 'missing',
      detail: 'The public key is not published: receivers cannot verify signatures.',
      publish,
    };
  if (found.length > 1) return wrong(`There are ${found.length} keys at this name: receivers use any of them.`);
  const tags = tagsOf(found[0]!);
  const published = tags.get('p')!.replace(/\s/g, '');
  if (published === '') return wrong('The record says that the key is revoked (p= is empty).');
  if (published !== publicKeyOf(key)) return wrong('The record has another key than the channel.');
  const type = key.algorithm === 'rsa-sha256' ? 'rsa' : 'ed25519';
  if ((tags.get('k') ?? 'rsa') !== type) return wrong(`The record must say k=${type}.`);
  if (
    tags.has('h') &&
    !tags
      .get('h')!
      .split(':')
      .some((hash) => hash.trim() === 'sha256')
  )
    return wrong('The record does not allow sha256 (h=).');
  if (tags.get('t')?.split(':').includes('y'))
    return wrong('The record says that the domain is testing DKIM (t=y): receivers may ignore the signatures.');
  return { state: 'ok', detail: 'The published key is that of the channel.', publish: null };
}
