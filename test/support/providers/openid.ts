import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { jest } from '@jest/globals';
import type { Context } from 'oidc-provider';

export const CLIENT = { id: 'carillon', secret: 'a secret of more than enough letters' };

/** A real OpenID provider on loopback, without its pages: whoever comes is `person`, and agrees. */
export class OpenId {
  /** Who signs in next, with the claims about them. Null: they refuse. */
  person: Record<string, unknown> | null = null;
  /** How often somebody wanted to exchange a code. */
  codes = 0;
  private readonly people = new Map<string, Record<string, unknown>>();

  private constructor(
    private readonly server: Server,
    readonly issuer: string,
  ) {}

  static async start(redirectUri: string): Promise<OpenId> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const openId = new OpenId(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    // It says that it is not set up for production.
    const said = (['info', 'warn'] as const).map((name) => jest.spyOn(console, name).mockReturnValue());
    await openId.serve(redirectUri);
    for (const spy of said) spy.mockRestore();
    return openId;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async serve(redirectUri: string): Promise<void> {
    const { default: Provider } = await import('oidc-provider');
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const provider = new Provider(this.issuer, {
      clients: [{ client_id: CLIENT.id, client_secret: CLIENT.secret, redirect_uris: [redirectUri] }],
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['preferred_username', 'groups'] },
      cookies: { keys: ['of this test'] },
      features: { devInteractions: { enabled: false } },
      findAccount: (_: Context, id: string) => ({
        accountId: id,
        claims: () => ({ ...this.people.get(id), sub: id }),
      }),
      interactions: { url: (_: Context, { uid }: { uid: string }) => `/person/${uid}` },
      jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' }] },
      // Without these it says that it uses its defaults.
      ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 600, IdToken: 60, Interaction: 600, Session: 600 },
      loadExistingGrant: async ({ oidc: { client, session } }: Context) => {
        const grant = new provider.Grant({ accountId: session.accountId, clientId: client.clientId });
        grant.addOIDCScope('openid email profile');
        await grant.save();
        return grant;
      },
    });
    const serve = provider.callback();
    this.server.on('request', (request, response) => {
      if (request.url === '/token') this.codes++;
      if (!request.url?.startsWith('/person/')) return serve(request, response);
      const { person } = this;
      const id = `id-of-${String(person?.email)}`;
      if (person) this.people.set(id, person);
      const result = person ? { login: { accountId: id } } : { error: 'access_denied' };
      void provider.interactionFinished(request, response, result);
    });
  }

  /** Follows the browser from the provider's first address to the one that leads back. */
  async visit(url: string): Promise<string> {
    const jar = new Map<string, string>();
    for (let at = url; ;) {
      if (!at.startsWith(this.issuer)) return at;
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
      const answer = await fetch(at, { headers: { cookie }, redirect: 'manual' });
      for (const line of answer.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        jar.set(name, value);
      }
      const next = answer.headers.get('location');
      if (next === null) throw new Error(`${at} was answered ${answer.status}: ${await answer.text()}`);
      at = new URL(next, at).href;
    }
  }
}
