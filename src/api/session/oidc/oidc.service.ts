import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Configuration, CustomFetchOptions } from 'openid-client';
import { isLoopback } from '../../../platform/config/config.js';
import { PROVIDERS, groupsOf } from './provider.js';
import type { Claims, Provider } from './provider.js';

const TIMEOUT_SECONDS = 10;
const MAX_ANSWER_BYTES = 1024 * 1024;

/** How long a provider's description of itself is used. */
const DESCRIPTION_MS = 3_600_000;

/** What a browser keeps while somebody is at the provider. */
export interface Trip {
  state: string;
  nonce: string;
  verifier: string;
}

/** Asks OpenID providers who somebody is: authorization code with PKCE, state and nonce. */
@Injectable()
export class OidcService {
  private readonly logger = new Logger('Oidc');
  private readonly described = new Map<string, { at: number; configuration: Promise<Configuration> }>();

  constructor(@Inject(PROVIDERS) readonly providers: readonly Provider[]) {}

  find(slug: string): Provider | null {
    return this.providers.find((provider) => provider.slug === slug) ?? null;
  }

  /** Where to lead the browser, and what it must bring back. */
  async start(provider: Provider, redirectUri: string): Promise<{ url: string; trip: Trip }> {
    const client = await library();
    const configuration = await this.describe(provider);
    const trip = {
      state: client.randomState(),
      nonce: client.randomNonce(),
      verifier: client.randomPKCECodeVerifier(),
    };
    const url = client.buildAuthorizationUrl(configuration, {
      ...{ redirect_uri: redirectUri, scope: provider.scope, state: trip.state, nonce: trip.nonce },
      code_challenge: await client.calculatePKCECodeChallenge(trip.verifier),
      code_challenge_method: 'S256',
    });
    return { url: url.href, trip };
  }

  /** Exchanges the code in the URL for the claims about the operator. Throws when the provider, or the library, does not accept it. */
  async finish(provider: Provider, url: URL, { state, nonce, verifier }: Trip): Promise<Claims> {
    const client = await library();
    const configuration = await this.describe(provider);
    const tokens = await client.authorizationCodeGrant(configuration, url, {
      ...{ expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier },
      idTokenExpected: true,
    });
    const claims: Claims & { sub: string } = { ...tokens.claims()! };
    // Some providers tell the groups only when they are asked again.
    if (groupsOf(claims, provider.groupsClaim) !== null || !configuration.serverMetadata().userinfo_endpoint)
      return claims;
    return { ...claims, ...(await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)) };
  }

  /** Notes why it failed, without what the browser or the provider sent. */
  note(provider: Provider, error: unknown): void {
    const { name, code, error: reason } = error as { name: string; code?: string; error?: string };
    this.logger.warn({ message: 'signing in failed', provider: provider.slug, error: name, code, reason });
  }

  private describe(provider: Provider): Promise<Configuration> {
    const known = this.described.get(provider.slug);
    if (known && performance.now() - known.at < DESCRIPTION_MS) return known.configuration;
    const configuration = discover(provider);
    this.described.set(provider.slug, { at: performance.now(), configuration });
    configuration.catch(() => this.described.delete(provider.slug));
    return configuration;
  }
}

// Loaded only when somebody signs in at a provider.
const library = () => import('openid-client');

async function discover({ issuer, clientId, clientSecret }: Provider): Promise<Configuration> {
  const client = await library();
  const authentication = clientSecret === null ? client.None() : client.ClientSecretBasic(clientSecret);
  return client.discovery(new URL(issuer), clientId, undefined, authentication, {
    timeout: TIMEOUT_SECONDS,
    [client.customFetch]: fetchSmall,
    execute: [
      client.enableNonRepudiationChecks,
      // Only for a provider on this machine: see `issuer` in provider-file.ts.
      ...(isLoopback(new URL(issuer).hostname) ? [client.allowInsecureRequests] : []),
    ],
  });
}

/** Ends an answer that is too large. The library itself ends one that takes too long. */
async function fetchSmall(url: string, options: CustomFetchOptions): Promise<Response> {
  const answer = await fetch(url, options);
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of (answer.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += part.length;
    if (bytes > MAX_ANSWER_BYTES) throw new Error('the answer of the provider is too large');
    parts.push(part);
  }
  const body = bytes === 0 ? null : Buffer.concat(parts);
  return new Response(body, { status: answer.status, statusText: answer.statusText, headers: answer.headers });
}
