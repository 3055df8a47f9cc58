/** Names a token: one that was made of other settings is another one. */
export interface TokenKey {
  channelId: number;
  purpose: string;
  /** Changes with the settings that it is made of. */
  fingerprint: string;
}

export interface StoredToken {
  value: string;
  /** Milliseconds since 1970, as all times here. */
  madeAt: number;
  /** When somebody makes the next one. It is valid for longer. */
  renewAt: number;
  expiresAt: number;
}

/** What is stored for a channel and a purpose. */
export interface TokenRow {
  /** Null: there is none, or it was made of other settings. */
  token: StoredToken | null;
  /** Changes with each token that is stored; null: there was none yet. */
  version: number | null;
}

/** Keeps tokens where all processes find them. */
export interface TokenStore {
  read(key: TokenKey): Promise<TokenRow>;
  /**
   * Lets this process alone make the next token, until `until`. `version`: that of the row that was read, which must still be the same. Null: another
   * process makes it or has made it, or the channel was deleted.
   */
  claim(key: TokenKey, version: number | null, now: number, until: number): Promise<TokenClaim | null>;
  /** Nobody makes the next token before this time, unless the stored one expires. */
  hold(key: TokenKey, until: number): Promise<void>;
}

export interface TokenClaim {
  /** Stores the new token. Does nothing if the settings have changed meanwhile. */
  save(token: StoredToken): Promise<void>;
  /** No token was made: another process may try. */
  release(): Promise<void>;
}

export const TOKEN_STORE = Symbol('TokenStore');
