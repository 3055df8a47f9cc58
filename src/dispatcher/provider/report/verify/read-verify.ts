import type { FilePlace } from '../../read/place.js';
import type { Verifier } from './verifier.js';
import { readSignedFields } from './verify-fields.js';
import { readHmac } from './verify-hmac.js';
import { readBasic, readHeader } from './verify-secret.js';
import { readSns } from './verify-sns.js';
import { readStandardWebhooks } from './verify-standard-webhooks.js';

type ReadVerifier = (place: FilePlace, settings: readonly string[]) => Verifier;

const KINDS: Readonly<Record<string, ReadVerifier>> = {
  hmac: readHmac,
  signed_fields: readSignedFields,
  standard_webhooks: readStandardWebhooks,
  basic: readBasic,
  header: readHeader,
  sns: readSns,
};

const MAX_VERIFIERS = 4;

/** `{ hmac: ... }`, or a list of which one must hold. `settings`: those that can have the key. */
export function readVerify(place: FilePlace, settings: readonly string[]): Verifier[] {
  const places = Array.isArray(place.value) ? place.items() : [place];
  if (places.length === 0 || places.length > MAX_VERIFIERS) place.fail(`must have from 1 to ${MAX_VERIFIERS} entries`);
  return places.map((each) => {
    const [[kind, value] = [], ...more] = each.only(Object.keys(KINDS)).entries();
    if (kind === undefined || value === undefined || more.length > 0)
      return each.fail(`must have one of ${Object.keys(KINDS).join(', ')}`);
    return KINDS[kind]!(value, settings);
  });
}
