import type { TenantLimits } from '../../tenant-limiter.js';
import { tooBusy, unavailable } from '../problem.js';

/** The problem of a refused request: 429 if the organization itself has too much under way, 503 if all of them together do. */
export function tooMany(nouns: string): TenantLimits['refusal'] {
  return ({ perOrganization }, isOwnFault) =>
    isOwnFault
      ? tooBusy(
          `The organization has too many ${nouns} under way: ${perOrganization} is the limit. Wait until one has ended.`,
        )
      : unavailable(`The service has too many ${nouns} under way. Try again.`);
}
