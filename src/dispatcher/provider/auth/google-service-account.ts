import { createPrivateKey, sign, type KeyObject } from 'node:crypto';
import { isObject } from '../../../platform/field/is-object.js';
import { answerOf } from '../../answer/answer.js';
import { failureOf, outcomeOf } from '../../answer/http-outcome.js';
import type { Outcome } from '../../dispatcher.js';
import type { MadeToken } from '../../token/channel-tokens.js';
import {
  base64Json,
  fingerprintOf,
  wrongKey,
  type PostForm,
  type RequestToken,
  type TokenAnswer,
} from './token-auth.js';

/** Of all service accounts. The key names it too, but a pasted text must not decide where a signature goes. */
const TOKEN_URL = 'https://oauth2.googleapis.com/token';

const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const LIFE_SECONDS = 3600;

/** Google refuses an assertion from the future. */
const BACKDATED_SECONDS = 30;

const RENEWED_BEFORE_MS = 10 * 60_000;

/** A token that was refused is renewed at once, but not for each message. */
const MIN_AGE_MS = 60_000;

interface ServiceAccount {
  email: string;
  keyId: string;
  key: KeyObject;
}

const PROBLEM = 'must be the JSON key of a service account, with client_email and private_key';

/** What is wrong with a setting that holds the key of a service account. */
export function problemWithServiceAccount(text: string): string | null {
  return readAccount(text) === null ? PROBLEM : null;
}

export function googleToken(text: string, scope: string, url = TOKEN_URL): RequestToken {
  return {
    purpose: `google ${scope}`,
    fingerprint: fingerprintOf(text, scope, url),
    minAgeMs: MIN_AGE_MS,
    make: async (post) => {
      // Read only now: it takes longer than to send a message with a token that is there already.
      const account = readAccount(text);
      return account
        ? requestToken(account, { scope, url }, post)
        : wrongKey(`the key of the service account ${PROBLEM}`);
    },
  };
}

function readAccount(text: string): ServiceAccount | null {
  try {
    const parsed: unknown = JSON.parse(text);
    if (!isObject(parsed)) return null;
    const { client_email: email, private_key: pem, private_key_id: keyId } = parsed;
    if (typeof email !== 'string' || email === '' || typeof pem !== 'string') return null;
    const key = createPrivateKey(pem);
    return key.asymmetricKeyType === 'rsa' ? { email, keyId: typeof keyId === 'string' ? keyId : '', key } : null;
  } catch {
    return null;
  }
}

/** Where a token comes from, and what it is for. */
interface Audience {
  scope: string;
  url: string;
}

async function requestToken(account: ServiceAccount, audience: Audience, post: PostForm): Promise<MadeToken> {
  const now = Date.now();
  const assertion = assertionOf(account, audience, Math.floor(now / 1000) - BACKDATED_SECONDS);
  try {
    const answer = await post(audience.url, { grant_type: GRANT, assertion });
    const token = tokenIn(answer.text, now);
    return answer.status === 200 && token ? token : { failure: failureFor(answer, [assertion]) };
  } catch (error) {
    const outcome = failureOf(error, [assertion]);
    // The message itself was not sent.
    return { failure: outcome.kind === 'retry' ? { kind: 'retry', answer: shown(outcome.answer) } : outcome };
  }
}

function assertionOf({ email, keyId, key }: ServiceAccount, { scope, url }: Audience, iat: number): string {
  const head = { alg: 'RS256', typ: 'JWT', ...(keyId === '' ? {} : { kid: keyId }) };
  const signed = `${base64Json(head)}.${base64Json({ iss: email, scope, aud: url, iat, exp: iat + LIFE_SECONDS })}`;
  return `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`;
}

function tokenIn(text: string, now: number): Exclude<MadeToken, { failure: Outcome }> | null {
  try {
    const { access_token: value, expires_in: seconds } = JSON.parse(text) as Record<string, unknown>;
    if (typeof value !== 'string' || value === '' || typeof seconds !== 'number' || !(seconds > 0)) return null;
    const expiresAt = now + seconds * 1000;
    return { value, madeAt: now, renewAt: Math.max(expiresAt - RENEWED_BEFORE_MS, (now + expiresAt) / 2), expiresAt };
  } catch {
    return null;
  }
}

/** Whatever is final means that the account is wrong: the message has not been seen. */
function failureFor(answer: TokenAnswer, secrets: string[]): Outcome {
  const outcome = outcomeOf(answer, secrets, new Date());
  if (outcome.kind === 'retry') return { ...outcome, answer: shown(outcome.answer) };
  return { kind: 'rejected', answer: answerOf(shown(outcome.answer)), fault: 'channel' };
}

const shown = (answer: string): string => `no access token from Google: ${answer}`;
