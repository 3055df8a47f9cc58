import type { Links } from '../../rules/ruleset/message.js';
import { codeOf } from '../acknowledge/code.js';
import type { AcknowledgeTokens } from '../acknowledge/token.js';
import type { DeliveryTokens } from './delivery-token.js';
import type { MuteTokens } from './mute-token.js';
import type { UnsubscribeTokens } from './token.js';

/** The user of a message and the category of its event; null: the event has none, or it is required. */
interface Linked {
  organizationId: number;
  userId: number;
  categoryId: number | null;
  /** The delivery that may be acknowledged; null: its notification does not ask for it. */
  acknowledges: string | null;
  /** The delivery whose thread may be muted; null: it has none, or nobody can refuse the message. */
  mutes: string | null;
}

/** What the recipient of a message can do with its links, besides choosing what to get. */
interface Abilities {
  canOptOut: boolean;
  canAcknowledge: boolean;
  canMute: boolean;
}

/** Makes the links of messages. Without an address of the service there are none. */
export class UnsubscribeLinks {
  constructor(
    private readonly tokens: UnsubscribeTokens,
    private readonly acknowledgeTokens: AcknowledgeTokens,
    private readonly muteTokens: MuteTokens,
    private readonly linksUrl: string | null,
  ) {}

  for({ organizationId, userId, categoryId, acknowledges, mutes }: Linked): Links | null {
    if (this.linksUrl === null) return null;
    const token = this.tokens.sign({ organizationId, userId, categoryId: categoryId ?? 0 });
    const signed = (delivery: string | null, tokens: DeliveryTokens) =>
      delivery === null ? null : tokens.sign({ organizationId, delivery });
    return linksAt(this.linksUrl, {
      ...{ token, canOptOut: categoryId !== null },
      acknowledge: signed(acknowledges, this.acknowledgeTokens),
      code: acknowledges && codeOf(acknowledges),
      mute: signed(mutes, this.muteTokens),
    });
  }

  /** For a message that is only shown. */
  sample(abilities: Abilities): Links | null {
    return this.linksUrl === null ? null : sampleLinks(this.linksUrl, abilities);
  }
}

const SAMPLE = 'sample';
const SAMPLE_CODE = '1234';

/** A real link would let anybody who sees the message choose for the user. */
export const sampleLinks = (publicUrl: string, { canOptOut, canAcknowledge, canMute }: Abilities): Links =>
  linksAt(publicUrl, {
    ...{ token: SAMPLE, canOptOut },
    acknowledge: canAcknowledge ? SAMPLE : null,
    code: canAcknowledge ? SAMPLE_CODE : null,
    mute: canMute ? SAMPLE : null,
  });

interface LinkTokens {
  token: string;
  canOptOut: boolean;
  acknowledge: string | null;
  code: string | null;
  mute: string | null;
}

function linksAt(publicUrl: string, { token, canOptOut, acknowledge, code, mute }: LinkTokens): Links {
  const url = `${publicUrl}/u/${token}`;
  return {
    unsubscribe: canOptOut ? url : null,
    preferences: `${url}/preferences`,
    acknowledge: acknowledge && `${publicUrl}/a/${acknowledge}`,
    acknowledgeCode: code,
    mute: mute && `${publicUrl}/m/${mute}`,
  };
}
