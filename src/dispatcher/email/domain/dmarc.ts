import { tagsOf } from './domain-finding.js';
import type { DomainFinding, TextRecords } from './domain-finding.js';

/** What the DMARC record of a domain says. */
export interface Dmarc {
  finding: Pick<DomainFinding, 'state' | 'detail' | 'publish' | 'record'>;
  /** Whether the domain of a signature, and of the envelope sender, must be that of From, and not one of the same organization. */
  isStrict: { dkim: boolean; spf: boolean };
}

const nameFor = (domain: string) => `_dmarc.${domain}`;

/** Looks for the record at the domain, and then at the domains above it, as receivers do; not at a top-level domain. */
export async function readDmarc(domain: string, texts: TextRecords): Promise<Dmarc> {
  const labels = domain.split('.');
  const above = labels.map((_, i) => labels.slice(i).join('.')).filter((each) => each.includes('.'));
  // A domain of many labels has no more look-ups than receivers make.
  const walked = [above[0] ?? domain, ...above.slice(1).slice(-7)];
  for (const each of walked) {
    const found = (await texts(nameFor(each))).filter((record) => /^v\s*=\s*DMARC1\s*(;|$)/.test(record));
    if (found.length > 0) return judge(found, nameFor(each));
  }
  return {
    finding: {
      record: nameFor(domain),
      state: 'missing',
      detail: 'There is no DMARC record. Gmail, Yahoo and Outlook.com require one of everybody who sends many mails.',
      publish: 'v=DMARC1; p=none',
    },
    isStrict: { dkim: false, spf: false },
  };
}

function judge(found: readonly string[], record: string): Dmarc {
  const tags = tagsOf(found[0]!);
  const isStrict = { dkim: tags.get('adkim') === 's', spf: tags.get('aspf') === 's' };
  const finding = (state: DomainFinding['state'], detail: string): Dmarc => ({
    finding: { record, state, detail, publish: null },
    isStrict,
  });
  if (found.length > 1) return finding('wrong', `There are ${found.length} DMARC records: receivers then use none.`);
  const policy = tags.get('p')?.toLowerCase() ?? '';
  if (!['none', 'quarantine', 'reject'].includes(policy))
    return finding('wrong', 'The DMARC record must have p=none, p=quarantine or p=reject.');
  return finding('ok', `${withoutEnd(found[0]!)}.`);
}

/** Without the semicolons and spaces at the end. Customers choose the text, and a regular expression would take the square of its length. */
function withoutEnd(record: string): string {
  let end = record.length;
  while (end > 0 && /[\s;]/.test(record[end - 1]!)) end--;
  return record.slice(0, end);
}
