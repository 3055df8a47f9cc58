import { LRUCache } from 'lru-cache';
import { answerOf } from '../answer/answer.js';
import type { Outcome } from '../dispatcher.js';
import { reasonOf } from '../outbound/outbound-error.js';
import type { StoredToken, TokenClaim, TokenKey, TokenStore } from './token-store.js';

/** A token, or the outcome of a message that cannot be sent without it. */
export type MadeToken = StoredToken | { failure: Outcome };

/** A short-lived credential that a channel needs. */
export interface TokenDemand extends Omit<TokenKey, 'channelId'> {
  /** Null: the channel is not stored, so its tokens are this process's own. */
  channelId: number | null;
  /** The provider refuses who renews it more often. */
  minAgeMs: number;
  /** Never throws. */
  make(): Promise<MadeToken>;
}

type FoundToken = { value: string } | { failure: Outcome };

/** For so long a process does not look whether another one has renewed a token, or whether its settings have changed. */
const REMEMBERED_MS = 60_000;

/** After a token could not be renewed, or while another process renews it, the old one is used for so long. */
const BORROWED_MS = 5_000;

/** Longer than a request for a token may take. */
const CLAIM_MS = 15_000;

const POLL_MS = 100;

interface Remembered {
  token: StoredToken;
  until: number;
}

/**
 * The short-lived credentials of channels. One process makes a token, and all use it until shortly before it expires. While it is renewed, the
 * others continue with the old one.
 */
export class ChannelTokens {
  private readonly remembered = new LRUCache<string, Remembered>({ max: 10_000 });
  private readonly underWay = new Map<string, Promise<FoundToken>>();

  /** Without a store, tokens are not shared. */
  constructor(private readonly store: TokenStore | null = null) {}

  async get(demand: TokenDemand): Promise<FoundToken> {
    const now = Date.now();
    const known = this.remembered.get(textOf(demand));
    if (known && now < known.until && now < known.token.expiresAt) return known.token;
    const isUnderWay = this.underWay.has(textOf(demand));
    if (isUnderWay && known && now < known.token.expiresAt) return known.token;
    return this.once(demand, () => this.find(demand));
  }

  /**
   * Another token, after the provider refused this one before its time. Null: there is none yet, because the refused one is too young to be
   * renewed.
   */
  async replace(demand: TokenDemand, refused: string): Promise<FoundToken | null> {
    const known = this.remembered.get(textOf(demand))?.token;
    if (known && known.value !== refused && Date.now() < known.expiresAt) return known;
    if (known) this.remembered.set(textOf(demand), { token: known, until: 0 });
    const found = await this.once(demand, () => this.find(demand, refused));
    return 'value' in found && found.value === refused ? null : found;
  }

  /** Nobody renews the token for so long, unless it expires. */
  async hold({ channelId, purpose, fingerprint, minAgeMs }: TokenDemand): Promise<void> {
    if (channelId === null) return;
    await this.store?.hold({ channelId, purpose, fingerprint }, Date.now() + minAgeMs);
  }

  /** All messages that need the token at this moment share the work. */
  private once(demand: TokenDemand, work: () => Promise<FoundToken>): Promise<FoundToken> {
    const key = textOf(demand);
    const underWay = this.underWay.get(key);
    if (underWay) return underWay;
    const started = work()
      .catch((error: unknown) => waitFor(`the token of the channel cannot be read: ${reasonOf(error)}`))
      .finally(() => this.underWay.delete(key));
    this.underWay.set(key, started);
    return started;
  }

  private async find(demand: TokenDemand, refused?: string): Promise<FoundToken> {
    const { channelId, purpose, fingerprint } = demand;
    if (this.store === null || channelId === null) return this.makeOwn(demand, refused);
    const key = { channelId, purpose, fingerprint };
    const giveUpAt = performance.now() + CLAIM_MS;
    do {
      const now = Date.now();
      const { token: stored, version } = await this.store.read(key);
      const valid = stored !== null && now < stored.expiresAt ? stored : null;
      if (valid && !isDue(demand, valid, now, refused)) return this.remember(demand, valid, REMEMBERED_MS);
      const claim = await this.store.claim(key, version, now, now + CLAIM_MS);
      if (claim !== null) return this.makeFor(demand, claim, valid, refused);
      if (valid && valid.value !== refused) return this.remember(demand, valid, BORROWED_MS);
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    } while (performance.now() < giveUpAt);
    return waitFor('another process still makes the token of the channel');
  }

  private async makeFor(
    demand: TokenDemand,
    claim: TokenClaim,
    old: StoredToken | null,
    refused: string | undefined,
  ): Promise<FoundToken> {
    const made = await demand.make();
    if ('value' in made) {
      await claim.save(made);
      return this.remember(demand, made, REMEMBERED_MS);
    }
    await claim.release();
    return old && old.value !== refused ? this.remember(demand, old, BORROWED_MS) : made;
  }

  private async makeOwn(demand: TokenDemand, refused?: string): Promise<FoundToken> {
    const known = this.remembered.get(textOf(demand))?.token;
    const now = Date.now();
    if (known && now < known.expiresAt && !isDue(demand, known, now, refused)) return known;
    const made = await demand.make();
    return 'value' in made ? this.remember(demand, made, REMEMBERED_MS) : made;
  }

  private remember(demand: TokenDemand, token: StoredToken, forMs: number): StoredToken {
    const now = Date.now();
    const until = now < token.renewAt ? Math.min(token.renewAt, now + forMs) : now + BORROWED_MS;
    this.remembered.set(textOf(demand), { token, until });
    return token;
  }
}

const textOf = ({ channelId, purpose, fingerprint }: TokenDemand): string =>
  `${channelId ?? ''} ${purpose} ${fingerprint}`;

const isDue = ({ minAgeMs }: TokenDemand, token: StoredToken, now: number, refused: string | undefined): boolean =>
  now >= token.renewAt || (token.value === refused && now >= token.madeAt + minAgeMs);

/** Nothing was sent, and nothing is known about the provider. */
const waitFor = (answer: string): { failure: Outcome } => ({
  failure: { kind: 'retry', answer: answerOf(answer), isLocal: true },
});
