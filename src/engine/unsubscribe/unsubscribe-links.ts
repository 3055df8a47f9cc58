import type { Links } from '../../rules/ruleset/message.js';
import type { UnsubscribeTokens } from './token.js';

/** The user of a message and the category of its event; null: the event has none, or it is required. */
interface Linked {
  organizationId: number;
  userId: number;
  categoryId: number | null;
}

/** Makes the links of messages. Without a public URL there are none. */
export class UnsubscribeLinks {
  constructor(
    private readonly tokens: UnsubscribeTokens,
    private readonly publicUrl: string | null,
  ) {}

  for({ organizationId, userId, categoryId }: Linked): Links | null {
    if (this.publicUrl === null) return null;
    return this.links(this.tokens.sign({ organizationId, userId, categoryId: categoryId ?? 0 }), categoryId);
  }

  /** For a message that is only shown. A real link would let anybody who sees it choose for the user. */
  sample(categoryId: number | null): Links | null {
    return this.publicUrl === null ? null : this.links('sample', categoryId);
  }

  private links(token: string, categoryId: number | null): Links {
    const url = `${this.publicUrl}/u/${token}`;
    return { unsubscribe: categoryId === null ? null : url, preferences: `${url}/preferences` };
  }
}
