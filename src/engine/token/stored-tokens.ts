import { Injectable } from '@nestjs/common';
import type { StoredToken, TokenClaim, TokenKey, TokenRow, TokenStore } from '../../dispatcher/token/token-store.js';
import { Database } from '../../platform/database/database.js';
import { SecretBox } from '../../platform/secret/secret-box.js';
import { tokenContext } from './token-context.js';
import { CLAIM_TOKEN, HOLD_TOKEN, READ_TOKEN, RELEASE_TOKEN, SAVE_TOKEN } from './token.sql.js';

interface Row {
  sealed: string;
  madeAt: Date;
  renewAt: Date;
  expiresAt: Date;
}

/**
 * The tokens of channels in PostgreSQL, encrypted. The clocks are those of the processes, as in the tokens themselves. A claim is a column and no
 * lock: a lock would hold a connection while a provider answers, and a tenant could use up the pool with providers that never answer.
 */
@Injectable()
export class StoredTokens implements TokenStore {
  constructor(
    private readonly database: Database,
    private readonly secrets: SecretBox,
  ) {}

  async read(key: TokenKey): Promise<TokenRow> {
    const values = [key.channelId, key.purpose];
    const { rows } = await this.database.query<Row>('read-token', READ_TOKEN, values);
    const [row] = rows;
    return row ? { token: this.open(key, row), version: row.madeAt.getTime() } : { token: null, version: null };
  }

  async claim(key: TokenKey, version: number | null, now: number, until: number): Promise<TokenClaim | null> {
    const { channelId, purpose } = key;
    const end = new Date(until);
    const values = [channelId, purpose, new Date(now), end, version === null ? null : new Date(version)];
    const { rowCount } = await this.database.query('claim-token', CLAIM_TOKEN, values);
    if (rowCount !== 1) return null;
    return {
      save: async (token) => {
        const { madeAt, renewAt, expiresAt } = token;
        const times = [madeAt, renewAt, expiresAt].map((at) => new Date(at));
        const sealed = this.secrets.seal(textOf(key, token.value), tokenContext(channelId, purpose));
        await this.database.query('save-token', SAVE_TOKEN, [channelId, purpose, end, sealed, ...times]);
      },
      release: async () => {
        await this.database.query('release-token', RELEASE_TOKEN, [channelId, purpose, end]);
      },
    };
  }

  async hold({ channelId, purpose }: TokenKey, until: number): Promise<void> {
    await this.database.query('hold-token', HOLD_TOKEN, [channelId, purpose, new Date(until)]);
  }

  /** Null: it was made of other settings, or with a key that is gone. Both are made again. */
  private open(key: TokenKey, { sealed, madeAt, renewAt, expiresAt }: Row): StoredToken | null {
    const start = textOf(key, '');
    let text: string;
    try {
      text = this.secrets.open(sealed, tokenContext(key.channelId, key.purpose));
    } catch {
      return null;
    }
    if (!text.startsWith(start)) return null;
    const times = { madeAt: madeAt.getTime(), renewAt: renewAt.getTime(), expiresAt: expiresAt.getTime() };
    return { value: text.slice(start.length), ...times };
  }
}

const textOf = ({ fingerprint }: TokenKey, value: string): string => `${fingerprint} ${value}`;
