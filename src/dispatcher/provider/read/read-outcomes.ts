import { answerNames } from '../names.js';
import type { FilePlace } from './place.js';
import type { OutcomeEntry } from '../provider.js';
import { checked, type KnownNames } from '../value.js';

const FAULTS = ['recipient', 'device', 'message', 'channel'] as const;

/** What each kind of outcome may say. */
const KEYS: Readonly<Record<OutcomeEntry['then'], readonly string[]>> = {
  sent: ['provider_id'],
  retry: ['slow_down', 'retry_after', 'about', 'token', 'new_connection', 'without_report_url', 'advice', 'sets_aside'],
  rejected: ['fault', 'cause', 'token', 'advice', 'sets_aside', 'gone_at'],
};

export function readOutcomes(place: FilePlace, settings: readonly string[]): OutcomeEntry[] {
  const entries = place.items();
  if (entries.length === 0) place.fail('must have entries');
  return entries.map((entry) => readEntry(entry, answerNames(settings)));
}

function readEntry(place: FilePlace, known: KnownNames): OutcomeEntry {
  place.entries();
  const then = place.need('then').oneOf(['sent', 'retry', 'rejected']);
  place.only(['when', 'then', ...KEYS[then]]);
  const expression = (key: string) => {
    const at = place.at(key);
    return at && checked(at, known);
  };
  return {
    when: checked(place.need('when'), known),
    then,
    providerId: expression('provider_id'),
    fault: then === 'rejected' ? place.need('fault').oneOf(FAULTS) : 'message',
    cause: place.at('cause')?.oneOf(['stop', 'soft_bounce']) ?? null,
    setsAside: place.at('sets_aside')?.isTrue() ?? false,
    goneAt: expression('gone_at'),
    slowDown: place.at('slow_down')?.isTrue() ?? false,
    token: place.at('token')?.oneOf(['renew', 'hold']) ?? null,
    newConnection: place.at('new_connection')?.isTrue() ?? false,
    retryAfter: expression('retry_after'),
    about: place.at('about')?.oneOf(['recipient', 'either']) ?? null,
    advice: place.at('advice')?.text() ?? null,
    withoutReportUrl: place.at('without_report_url')?.isTrue() ?? false,
  };
}
