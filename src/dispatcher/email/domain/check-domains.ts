import { isAligned } from '../dkim/dkim-settings.js';
import type { DkimSettings } from '../dkim/dkim-settings.js';
import { dkimRecordName } from '../dkim/dkim-record.js';
import { judgeDkim } from './dkim-published.js';
import { readDmarc } from './dmarc.js';
import type { Dmarc } from './dmarc.js';
import type { DomainFinding, TextRecords } from './domain-finding.js';
import { judgeSpf } from './spf.js';

/** How the mails of a channel are sent, as far as DNS matters. */
interface Sending {
  /** The domains of From. */
  fromDomains: readonly string[];
  /** The domain of the envelope sender; null: that of From. */
  bounceDomain: string | null;
  dkim: DkimSettings | null;
}

/** Channels list a few domains. Of more, the first ones are looked up. */
const MAX_DOMAINS = 20;

/** For the whole check. What is not known by then is `unknown`. */
const DEADLINE_MS = 20_000;
const TOO_LONG = 'the check took too long';

/** Compares the settings of a channel with SPF, DKIM and DMARC of the domains that it sends from. */
export async function checkDomains(
  sending: Sending,
  texts: TextRecords,
  deadlineMs = DEADLINE_MS,
): Promise<DomainFinding[]> {
  const findings: DomainFinding[] = [];
  const limited = untilDeadline(texts, deadlineMs);
  for (const domain of sending.fromDomains.slice(0, MAX_DOMAINS))
    findings.push(...(await check(domain, sending, limited.texts)));
  limited.end();
  return findings;
}

/** Look-ups that fail from the deadline on, also those that are under way then. */
function untilDeadline(texts: TextRecords, ms: number): { texts: TextRecords; end: () => void } {
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), ms);
  const late = new Promise<never>((_resolve, reject) =>
    deadline.signal.addEventListener('abort', () => reject(new Error(TOO_LONG)), { once: true }),
  );
  late.catch(() => undefined); // nothing may be under way
  return {
    texts: (name) => (deadline.signal.aborted ? late : Promise.race([texts(name), late])),
    end: () => clearTimeout(timer),
  };
}

async function check(domain: string, sending: Sending, texts: TextRecords): Promise<DomainFinding[]> {
  const envelope = sending.bounceDomain ?? domain;
  const signing = sending.dkim?.domain ?? domain;
  const about = (part: DomainFinding['check'], record: string) => ({ domain, check: part, record });
  const spf = known(about('spf', envelope), async () => judgeSpf(await texts(envelope)));
  const keys = (sending.dkim?.signers ?? []).map((signer) => {
    const name = dkimRecordName(signer.selector, signing);
    return known(about('dkim', name), async () => judgeDkim(await texts(name), signer));
  });
  let dmarc: Dmarc | null = null;
  const policy = known(about('dmarc', `_dmarc.${domain}`), async () => {
    dmarc = await readDmarc(domain, texts);
    return dmarc.finding;
  });
  const records = await Promise.all([spf, ...keys, policy]);
  return [...records, alignment(domain, sending, dmarc)];
}

/** A look-up that fails is a finding, too. */
async function known(
  about: Pick<DomainFinding, 'domain' | 'check' | 'record'>,
  look: () => Promise<Omit<DomainFinding, 'domain' | 'check' | 'record'>>,
): Promise<DomainFinding> {
  try {
    return { ...about, ...(await look()) };
  } catch (error) {
    return { ...about, state: 'unknown', detail: `Not known: ${(error as Error).message}.`, publish: null };
  }
}

/** DMARC accepts a mail if the domain of its signature or of its envelope sender belongs to the domain of From. */
function alignment(domain: string, { bounceDomain, dkim }: Sending, dmarc: Dmarc | null): DomainFinding {
  const fits = (other: string, isStrict = false) => (isStrict ? other === domain : isAligned(domain, other));
  const signing = dkim ? (dkim.domain ?? domain) : null;
  const byDkim = signing !== null && fits(signing, dmarc?.isStrict.dkim);
  const bySpf = fits(bounceDomain ?? domain, dmarc?.isStrict.spf);
  const about = { domain, check: 'alignment', record: null, publish: null } as const;
  if (signing !== null && !byDkim) {
    const strict = `${signing} signs, but DMARC of ${domain} demands the very same domain (adkim=s).`;
    return bySpf
      ? { ...about, state: 'ok', detail: `${strict} It accepts the mails by SPF.` }
      : { ...about, state: 'wrong', detail: `${strict} The envelope sender does not fit either.` };
  }
  if (byDkim) return { ...about, state: 'ok', detail: `Mails from ${domain} are signed by ${signing}.` };
  return bySpf
    ? {
        ...about,
        state: 'ok',
        detail: `Mails from ${domain} are not signed here. DMARC accepts them by SPF, or if your mail server signs them.`,
      }
    : {
        ...about,
        state: 'wrong',
        detail: `Mails from ${domain} are not signed here, and their envelope sender is in ${bounceDomain}: DMARC accepts them only if your mail server signs them.`,
      };
}
