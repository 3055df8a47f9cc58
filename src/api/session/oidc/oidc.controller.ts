import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { WrongKeys } from '../../../auth/quota/rate-limit.js';
import { Public } from '../../../auth/require-permission.decorator.js';
import { clearCookie, readCookie, setCookie } from '../../../auth/session/cookie.js';
import { baseUrl } from '../../../platform/http/base-url.js';
import { clientAddress } from '../../../platform/http/client-address.js';
import { SecretBox } from '../../../platform/secret/secret-box.js';
import { SessionService } from '../session.service.js';
import { refusalPage, statusOf } from './oidc-page.js';
import type { SignInRefusal } from './oidc-page.js';
import { OidcService } from './oidc.service.js';
import type { Trip } from './oidc.service.js';
import { groupsOf, operatorOf, rightsOf, verifiedEmail } from './provider.js';
import type { Provider } from './provider.js';

const COOKIE = '-oidc';
/** How long somebody may take at the provider. */
const TRIP_MS = 600_000;

/** Signing in at an OpenID provider, for browsers: they get a page or another address, never JSON. */
@ApiExcludeController()
@Controller('api/session/oidc/:provider')
export class OidcController {
  constructor(
    private readonly oidc: OidcService,
    private readonly sessions: SessionService,
    private readonly wrongKeys: WrongKeys,
    private readonly box: SecretBox,
  ) {}

  @Get()
  @Public()
  async start(
    @Param('provider') slug: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<string> {
    const provider = this.oidc.find(slug);
    if (!provider) return refuse('unknown', request, response);
    try {
      const { url, trip } = await this.oidc.start(provider, callbackOf(provider, request));
      const value = this.box.seal(JSON.stringify({ ...trip, until: Date.now() + TRIP_MS }), placeOfTrip(provider));
      // The provider leads the browser back here: a strict cookie would not come with it.
      setCookie(request, response, value, { suffix: COOKIE, maxAgeSeconds: TRIP_MS / 1000, sameSite: 'Lax' });
      return lead(response, url);
    } catch (error) {
      this.oidc.note(provider, error);
      return refuse('unavailable', request, response);
    }
  }

  @Get('callback')
  @Public()
  async finish(
    @Param('provider') slug: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<string> {
    const provider = this.oidc.find(slug);
    if (!provider) return refuse('unknown', request, response);
    const address = clientAddress(request);
    const trip = this.tripOf(request, provider);
    clearCookie(request, response, COOKIE);
    // Asked before the provider is: a browser that repeats one trip must not make us call it without end.
    const mayTry = trip !== null && !this.wrongKeys.isTooMany(address);
    const refusal = mayTry ? await this.signIn(provider, trip, request, response) : 'stale';
    if (refusal === null) return lead(response, `${baseUrl(request)}/console/`);
    const seconds = this.wrongKeys.count(address);
    if (seconds === 0) return refuse(refusal, request, response);
    response.setHeader('Retry-After', String(seconds));
    return refuse('busy', request, response);
  }

  /** Null: this service did not begin the trip, or it took too long. Only a trip that we have sealed makes us call the provider. */
  private tripOf(request: Request, provider: Provider): Trip | null {
    try {
      const sealed = readCookie(request, COOKIE) ?? '';
      const trip = JSON.parse(this.box.open(sealed, placeOfTrip(provider))) as Trip & { until: number };
      return Date.now() < trip.until ? trip : null;
    } catch {
      return null;
    }
  }

  /** Returns null when the operator is signed in. */
  private async signIn(
    provider: Provider,
    trip: Trip,
    request: Request,
    response: Response,
  ): Promise<SignInRefusal | null> {
    const url = new URL(callbackOf(provider, request));
    url.search = /\?.*/.exec(request.originalUrl)?.[0] ?? '';
    let claims;
    try {
      claims = await this.oidc.finish(provider, url, trip);
    } catch (error) {
      this.oidc.note(provider, error);
      return refusalOf(error);
    }
    const rights = rightsOf(provider, groupsOf(claims, provider.groupsClaim) ?? []);
    const person = operatorOf(claims);
    if (!rights) {
      const email = verifiedEmail(claims);
      const isMember = email !== null && (await this.sessions.createOfMember(email, provider.slug, request, response));
      return isMember ? null : 'noGroup';
    }
    if (!person) return 'noGroup';
    const isOpen = await this.sessions.createOfOperator(person, provider.slug, rights, request, response);
    return isOpen ? null : 'noPlace';
  }
}

/** Absolute, and within `PUBLIC_URL`. */
const callbackOf = ({ slug }: Provider, request: Request) => `${baseUrl(request)}/api/session/oidc/${slug}/callback/`;

const placeOfTrip = ({ slug }: Provider) => `trip to the provider ${slug}`;

const DENIED = ['access_denied', 'login_required', 'consent_required', 'interaction_required'];

/** Tells what the operator can do. `reason` is the error that the provider names, `code` the one of `openid-client`. */
function refusalOf(error: unknown): SignInRefusal {
  const { code, error: reason } = error as { code?: string; error?: string };
  if (reason !== undefined && DENIED.includes(reason)) return 'denied';
  if (reason === 'invalid_grant') return 'stale';
  // A wrong state, nonce or code. All else is a provider that fails, or that does not accept this service.
  return reason === undefined && code !== undefined && WRONG_ANSWERS.includes(code) ? 'stale' : 'unavailable';
}

const WRONG_ANSWERS = [
  'OAUTH_INVALID_RESPONSE',
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
];

function lead(response: Response, url: string): string {
  response.status(302).setHeader('Location', url);
  return '';
}

function refuse(refusal: SignInRefusal, request: Request, response: Response): string {
  const { html, policy } = refusalPage(refusal, baseUrl(request));
  response.status(statusOf(refusal)).type('html').setHeader('Content-Security-Policy', policy);
  return html;
}
