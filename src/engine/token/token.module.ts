import { Global, Module } from '@nestjs/common';
import { TOKEN_STORE } from '../../dispatcher/token/token-store.js';
import { StoredTokens } from './stored-tokens.js';

/** Gives dispatchers, which know no database, a place for tokens that all processes share. */
@Global()
@Module({
  providers: [StoredTokens, { provide: TOKEN_STORE, useExisting: StoredTokens }],
  exports: [TOKEN_STORE],
})
export class TokenModule {}
