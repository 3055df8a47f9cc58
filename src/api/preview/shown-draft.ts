import type { Dispatcher } from '../../dispatcher/dispatcher.js';
import { isPush } from '../../dispatcher/is-push.js';
import type { StoredAttachment } from '../../platform/queue/trigger-options.js';
import { checkMessage } from '../../rules/check/check-message.js';
import { messageFor } from '../../rules/ruleset/message.js';
import type { AddressedSubject, Reader } from '../../rules/ruleset/message.js';
import type { SharedSources } from '../../rules/template/layout/shared.js';
import { CarriedFileDto } from '../attachment/attachment.dto.js';
import { shownParts } from '../delivery/rendered-rich.dto.js';
import type { RenderedDraft } from './draft.js';
import type { PreviewedDto } from './preview.dto.js';

/** What a draft was rendered for. */
export interface DraftTarget {
  subject: AddressedSubject;
  reader: Reader;
  /** Whether the reader can opt out of the category of the event. */
  canOptOut: boolean;
  /** Undefined: the draft names no channel. */
  dispatcher: Dispatcher | undefined;
  config: Readonly<Record<string, unknown>>;
  files: readonly StoredAttachment[];
}

/** The message of a draft, as a dispatcher would send it. */
export const messageOfDraft = ({ subject, reader }: DraftTarget, { message }: RenderedDraft, address: string | null) =>
  messageFor(subject, { ...reader, id: '0', address }, message);

/** A rendered draft with all that one wants to know before it is published. */
export function shownDraft(
  draft: RenderedDraft,
  target: DraftTarget,
  shared?: SharedSources,
): Omit<PreviewedDto, 'language'> {
  const { subject: about, reader, canOptOut, dispatcher, config, files } = target;
  const { sender, rich, subject, text, html } = draft.message;
  const missing = draft.missing ?? [];
  const head = dispatcher?.shownHead?.(messageOfDraft(target, draft, reader.email), config) ?? null;
  const checks = checkMessage({
    ...{ isMail: head !== null, isPush: !!dispatcher && isPush(dispatcher), limits: dispatcher?.messageLimits ?? {} },
    ...{ subject, text, html, rich, missing },
    category: canOptOut ? (about.recipients.category?.name ?? null) : null,
    unsubscribeUrl: reader.links?.unsubscribe ?? null,
    preferencesUrl: reader.links?.preferences ?? null,
    logo: shared?.brand?.logo ?? null,
    fileUrls: about.attachments?.flatMap(({ url }) => url ?? []) ?? [],
    cids: files.flatMap(({ cid }) => cid ?? []),
  });
  return {
    ...{ subject, text, html, ...shownParts({ sender, rich }), head },
    ...{ missing: draft.missing, optional: draft.optional, checks },
    html_bytes: Buffer.byteLength(html),
    attachments: files.map(CarriedFileDto.from),
  };
}
