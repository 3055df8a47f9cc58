import { Inject, Injectable } from '@nestjs/common';
import type { Scope } from '../../auth/scope.js';
import type { StoredConfig } from '../../dispatcher/channel-config.js';
import type { Dispatcher } from '../../dispatcher/dispatcher.js';
import { DISPATCHERS } from '../../dispatcher/dispatcher.module.js';
import { linkedFiles } from '../../engine/file/carry.js';
import { FileLinks } from '../../engine/file/file-links.js';
import { UnsubscribeLinks } from '../../engine/unsubscribe/unsubscribe-links.js';
import { Database } from '../../platform/database/database.js';
import { emailKey } from '../../platform/field/email.js';
import { hasErrors } from '../../platform/field/error/field-error.js';
import { readLocale } from '../../platform/field/region/locale.js';
import { isUuid, uuidV7 } from '../../platform/field/uuid-v7.js';
import { invalid, invalidField, notFound } from '../../platform/http/problem.js';
import type { StoredAttachment, TriggerOptions } from '../../platform/queue/trigger-options.js';
import type { Messages } from '../../rules/language/messages.js';
import { wantedLocale } from '../../rules/language/used-language.js';
import type { WantedLocale } from '../../rules/language/used-language.js';
import { NO_READER, openCategoryOf, renderContexts } from '../../rules/ruleset/message.js';
import type { Digest, Named, Reader, Subject } from '../../rules/ruleset/message.js';
import { templateMode } from '../../rules/ruleset/template-mode.js';
import type { RenderContext, TemplatePart } from '../../rules/template/template.js';
import { SAMPLE_CHANNEL, SAMPLE_USER, sampleDigest, sampleStep } from './draft.js';
import { namedFiles } from './named-files.js';
import type { PreviewDto } from './preview.dto.js';
import { LOAD_DRAFT } from './preview.sql.js';
import type { DraftTarget } from './shown-draft.js';

const NO_USER = 'must be left out: one post to the room has no user. Or set per to person';
const NO_CONTEXT = 'must be left out: the context of the occurrence is used';
const NO_FILES = 'must be left out: the files of the occurrence are used';

export type ChannelOfDraft = Named & { id: number; type: string; config: StoredConfig; projectId: number | null };

interface EarlierOccurrence {
  id: string;
  createdAt: string;
  context: Record<string, unknown>;
  options: TriggerOptions;
  digest: Digest | null;
}

interface DraftRow extends Omit<Subject, 'occurrence' | 'createdAt' | 'digest' | 'channel'> {
  channel: ChannelOfDraft | null;
  user: Reader | null;
  /** Of the project. */
  messages: Messages | null;
  earlier: EarlierOccurrence | null;
}

interface Chosen {
  locale: string | undefined;
  files: StoredAttachment[];
}

interface LoadedDraft {
  context: RenderContext;
  target: DraftTarget;
  channel: ChannelOfDraft | null;
  wanted: WantedLocale;
  /** The locale of the organization. */
  usual: string | null;
  messages: Messages;
}

/** Loads what a draft is rendered with: a user, a channel, and the data of an occurrence that was, or that does not exist. */
@Injectable()
export class DraftLoader {
  constructor(
    private readonly database: Database,
    @Inject(DISPATCHERS) private readonly dispatchers: ReadonlyMap<string, Dispatcher>,
    private readonly links: UnsubscribeLinks,
    private readonly fileLinks: FileLinks,
  ) {}

  async load(scope: Scope, draft: PreviewDto, userParts: TemplatePart[]): Promise<LoadedDraft> {
    const row = await this.read(scope, draft);
    // A template sees no settings of its channel.
    const { slug, name, type, config } = row.channel ?? SAMPLE_CHANNEL;
    const shown = { slug, name, type };
    const { per, errors } = templateMode({ ...shown, config }, draft.per, userParts, this.dispatchers);
    if (hasErrors(errors)) throw invalid(errors);
    if (per === 'room' && draft.user !== undefined) throw invalidField('user', 'not_allowed', NO_USER);
    const locale = localeOf(draft) ?? row.earlier?.options.locale;
    const files = row.earlier ? (row.earlier.options.attachments ?? []) : namedFiles(draft.attachments ?? []);
    const subject = this.subjectOf(row, shown, { locale, files });
    const category = openCategoryOf(subject);
    const canOptOut = category !== null;
    // The notification of a draft is not known, so that it may ask to be acknowledged, and have a thread.
    const links = per === 'room' ? null : this.links.sample({ canOptOut, canAcknowledge: true, canMute: canOptOut });
    const reader: Reader = { ...(per === 'room' ? NO_READER : (row.user ?? SAMPLE_USER)), links };
    const { locale: usual } = row.recipients;
    const dispatcher = row.channel ? this.dispatchers.get(shown.type) : undefined;
    return {
      context: {
        ...renderContexts(subject, [reader])[0]!,
        digest: subject.digest ?? sampleDigest(subject),
        step: sampleStep(subject),
      },
      target: { subject, reader, canOptOut: category !== null && per !== 'room', dispatcher, config, files },
      wanted: wantedLocale({ trigger: locale, user: reader.locale, organization: usual }),
      ...{ channel: row.channel, usual, messages: row.messages ?? {} },
    };
  }

  private async read({ organizationId, eventId }: Scope, draft: PreviewDto): Promise<DraftRow> {
    const { channel = null, user = null, context, occurrence = null } = draft;
    if (occurrence !== null && context !== undefined) throw invalidField('context', 'not_allowed', NO_CONTEXT);
    if (occurrence !== null && draft.attachments) throw invalidField('attachments', 'not_allowed', NO_FILES);
    if (occurrence !== null && !isUuid(occurrence))
      throw invalidField('occurrence', 'invalid_format', 'must be the id of an occurrence');
    const given = JSON.stringify(context ?? {});
    const values = [organizationId, eventId, given, channel, user && emailKey(user), occurrence];
    const { rows } = await this.database.pool.query<DraftRow>(LOAD_DRAFT, values);
    const [row] = rows;
    if (!row) throw notFound('event');
    if (occurrence !== null && !row.earlier) throw notFound('occurrence');
    if (channel !== null && !row.channel)
      throw invalidField('channel', 'not_found', 'is not a channel of the project or the organization');
    if (user !== null && !row.user) throw invalidField('user', 'not_found', 'is not a user of the organization');
    return row;
  }

  private subjectOf(row: DraftRow, channel: Subject['channel'], { locale, files }: Chosen): Subject {
    const { earlier, messages: _messages, user: _user, channel: _channel, ...about } = row;
    const occurrence = earlier?.id ?? uuidV7();
    const links = { for: (organization: string) => this.fileLinks.sample(organization) };
    const attachments = linkedFiles(links, { occurrence, organization: row.organization }, files);
    const subject = { ...about, locale, channel, occurrence, ...(files.length > 0 && { attachments }) };
    if (!earlier) return { ...subject, createdAt: new Date(), digest: null };
    const { createdAt, context, digest } = earlier;
    return { ...subject, createdAt: new Date(createdAt), context, digest };
  }
}

function localeOf({ locale }: PreviewDto): string | undefined {
  if (locale === undefined) return undefined;
  const read = readLocale(locale);
  if ('problem' in read) throw invalidField('locale', 'invalid_format', read.problem);
  return read.locale;
}
