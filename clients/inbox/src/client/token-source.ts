/** Answers a token for the user, from your own server. */
export type TokenFunction = () => string | Promise<string>;

/** Renews a token after this part of its life, so that no call is sent with one that expires on its way. */
const USED_PART = 0.9;

/** Keeps the token, and asks for another shortly before it expires or after the service refused it. */
export class TokenSource {
  #token: Promise<string> | null = null;
  #endsAt = Infinity;

  constructor(private readonly ask: TokenFunction) {}

  get(): Promise<string> {
    if (!this.#token || performance.now() >= this.#endsAt) {
      const asked = this.#renew();
      this.#token = asked;
      asked.catch(() => this.drop(asked));
    }
    return this.#token;
  }

  /** Forgets a token that was refused, unless another call has renewed it meanwhile. */
  drop(refused: Promise<string> | null): void {
    if (refused && this.#token === refused) this.#token = null;
  }

  async #renew(): Promise<string> {
    this.#endsAt = Infinity;
    const token = await this.ask();
    this.#endsAt = performance.now() + lifeMs(token) * USED_PART;
    return token;
  }
}

/** Issue and expiry are both read from the token: the clock of this machine may be wrong. */
function lifeMs(token: string): number {
  try {
    const payload = atob((token.split('.')[1] ?? '').replace(/-/g, '+').replace(/_/g, '/'));
    const { iat, exp } = JSON.parse(payload) as { iat?: number; exp?: number };
    return iat && exp ? (exp - iat) * 1000 : Infinity;
  } catch {
    return Infinity; // no JWT: the service says when it has expired
  }
}

/** Asks the page's own server, which knows who is logged in. It answers as the service did: `{ "token": "..." }`. */
export async function fetchToken(url: string): Promise<string> {
  const response = await fetch(url, { cache: 'no-store', signal: AbortSignal.timeout(30_000) });
  if (!response.ok) throw new Error(`${url} answered with status ${response.status}`);
  return ((await response.json()) as { token: string }).token;
}
