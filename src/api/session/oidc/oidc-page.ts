import { escapeText, htmlPage } from '../../../platform/http/html-page.js';
import type { HtmlPage } from '../../../platform/http/html-page.js';

/** Why nobody was signed in, and what to do about it. */
const REFUSALS = {
  unknown: [404, 'There is no such way to sign in', 'Ask your operator for the address of the console.'],
  unavailable: [
    503,
    'The sign-in service does not answer',
    'Try again in a minute. If it stays so, tell your operator.',
  ],
  stale: [
    400,
    'Please sign in again',
    'This sign-in took too long, was used already, or was not started in this browser.',
  ],
  denied: [403, 'You were not signed in', 'The sign-in service refused it. Try again, or ask its administrators.'],
  noGroup: [
    403,
    'You have no access to Carillon',
    'You are signed in, but neither your groups nor your e-mail address have access. Ask your operator or an administrator.',
  ],
  noPlace: [
    403,
    'You have no access to Carillon',
    'Your group has access to an organization, project or application that does not exist. Tell your operator.',
  ],
  busy: [429, 'Too many sign-ins failed here', 'Wait a minute, then try again.'],
} as const satisfies Record<string, [status: number, title: string, advice: string]>;

export type SignInRefusal = keyof typeof REFUSALS;

export const statusOf = (refusal: SignInRefusal): number => REFUSALS[refusal][0];

/** A page for a browser. `base`: the start of the service's own links. */
export function refusalPage(refusal: SignInRefusal, base: string): HtmlPage {
  const [, title, advice] = REFUSALS[refusal];
  const back = `  <a href="${escapeText(base)}/console/">Back to the console</a>`;
  return htmlPage({ title, style: '', body: `  <h1>${title}</h1>\n  <p>${advice}</p>\n${back}` });
}
