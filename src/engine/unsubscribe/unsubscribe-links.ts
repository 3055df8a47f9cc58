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
    const token = this.tokens.sign({ organizationId, userId, categoryId: categoryId ?? 0 });
    return linksAt(this.publicUrl, token, categoryId !== null);
  }

  /** For a message that is only shown. */
  sample(categoryId: number | null): Links | null {
    return this.publicUrl === null ? null : sampleLinks(this.publicUrl, categoryId !== null);
  }
}

/** A real link would let anybody who sees the message choose for the user. */
export const sampleLinks = (publicUrl: string, canOptOut: boolean): Links => linksAt(publicUrl, 'sample', canOptOut);

function linksAt(publicUrl: string, token: string, canOptOut: boolean): Links {
  const url = `${publicUrl}/u/${token}`;
  return { unsubscribe: canOptOut ? url : null, preferences: `${url}/preferences` };
}
