import type { ReportRequest } from '../../../report/report.js';
import { isSameSecret } from '../../../report/same-secret.js';
import { problemWithSigningSecret, signatureOf } from '../../../webhook/signature.js';
import type { FilePlace } from '../../read/place.js';
import { checkedBody, headerOf, type Verifier } from './verifier.js';

const MAX_AGE_SECONDS = 5 * 60;

/** Of no account. */
const SAMPLE_SECRET = `whsec_${Buffer.from('a secret of no account at all...').toString('base64')}`;

/** Standard Webhooks, also under the names that Svix gives the headers. */
export function readStandardWebhooks(place: FilePlace, settings: readonly string[]): Verifier {
  return {
    key: place.only(['key']).need('key').oneOf(settings),
    problem: problemWithSigningSecret,
    sampleKey: SAMPLE_SECRET,
    check: (request, key) => checkedBody(request, isSigned(request, key)),
    sign: (request, key) => {
      const prefix = headerOf(request, 'svix-id') === '' ? 'webhook' : 'svix';
      const id = headerOf(request, `${prefix}-id`) || 'msg_1';
      const timestamp = Math.floor(request.now.getTime() / 1000);
      const signature = signatureOf(id, timestamp, request.body.toString(), [key]);
      return { [`${prefix}-id`]: id, [`${prefix}-timestamp`]: String(timestamp), [`${prefix}-signature`]: signature };
    },
  };
}

const partOf = (request: ReportRequest, name: string): string =>
  headerOf(request, `svix-${name}`) || headerOf(request, `webhook-${name}`);

function isSigned(request: ReportRequest, key: string): boolean {
  const [id, timestamp] = [partOf(request, 'id'), partOf(request, 'timestamp')];
  const ageSeconds = Math.abs(request.now.getTime() / 1000 - Number(timestamp));
  if (id === '' || !(ageSeconds <= MAX_AGE_SECONDS)) return false;
  const expected = signatureOf(id, Number(timestamp), request.body.toString(), [key]);
  return partOf(request, 'signature')
    .split(' ')
    .some((each) => isSameSecret(each, expected));
}
