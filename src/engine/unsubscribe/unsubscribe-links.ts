import type { Links } from '../../rules/ruleset/message.js';
import type { AcknowledgeTokens } from '../acknowledge/token.js';
import type { UnsubscribeTokens } from './token.js';

/** The user of a message and the category of its event; null: the event has none, or it is required. */
interface Linked {
  organizationId: number;
  userId: number;
  categoryId: number | null;
  /** The delivery that may be acknowledged; null: its notification does not ask for it. */
  acknowledges: string | null;
}

/** What the recipient of a message can do with its links, besides choosing what to get. */
interface Abilities {
  canOptOut: boolean;
  canAcknowledge: boolean;
}

/** Makes the links of messages. Without a public URL there are none. */
export class UnsubscribeLinks {
  constructor(
    private readonly tokens: UnsubscribeTokens,
    private readonly acknowledgeTokens: AcknowledgeTokens,
    private readonly publicUrl: string | null,
  ) {}

  for({ organizationId, userId, categoryId, acknowledges: delivery }: Linked): Links | null {
    if (this.publicUrl === null) return null;
    const token = this.tokens.sign({ organizationId, userId, categoryId: categoryId ?? 0 });
    const acknowledge = delivery === null ? null : this.acknowledgeTokens.sign({ organizationId, delivery });
    return linksAt(this.publicUrl, { token, canOptOut: categoryId !== null, acknowledge });
  }

  /** For a message that is only shown. */
  sample(abilities: Abilities): Links | null {
    return this.publicUrl === null ? null : sampleLinks(this.publicUrl, abilities);
  }
}

const SAMPLE = 'sample';

/** A real link would let anybody who sees the message choose for the user. */
export const sampleLinks = (publicUrl: string, { canOptOut, canAcknowledge }: Abilities): Links =>
  linksAt(publicUrl, { token: SAMPLE, canOptOut, acknowledge: canAcknowledge ? SAMPLE : null });

interface LinkTokens {
  token: string;
  canOptOut: boolean;
  acknowledge: string | null;
}

function linksAt(publicUrl: string, { token, canOptOut, acknowledge }: LinkTokens): Links {
  const url = `${publicUrl}/u/${token}`;
  return {
    unsubscribe: canOptOut ? url : null,
    preferences: `${url}/preferences`,
    acknowledge: acknowledge && `${publicUrl}/a/${acknowledge}`,
  };
}
