import { Inject, Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { Permission } from '../../auth/permission.js';
import type { Scope } from '../../auth/scope.js';
import type { Dispatcher } from '../../dispatcher/dispatcher.js';
import { DISPATCHERS } from '../../dispatcher/dispatcher.module.js';
import { fieldError, hasErrors, within } from '../../platform/field/error/field-error.js';
import type { FieldErrors } from '../../platform/field/error/field-error.js';
import { emailKey } from '../../platform/field/email.js';
import { readLocale } from '../../platform/field/region/locale.js';
import { uuidV7 } from '../../platform/field/uuid-v7.js';
import { TenantLimiter } from '../../platform/tenant-limiter.js';
import { tooMany } from '../../platform/http/limit/too-many.js';
import { invalid, invalidField, notFound } from '../../platform/http/problem.js';
import { runWhileConnected } from '../../platform/http/stream/run-while-connected.js';
import { Database } from '../../platform/database/database.js';
import { translate } from '../../rules/language/translate.js';
import { keysOf } from '../../rules/language/messages.js';
import type { Messages } from '../../rules/language/messages.js';
import { wantedLocale } from '../../rules/language/used-language.js';
import type { WantedLocale } from '../../rules/language/used-language.js';
import { TemplateInspector } from '../../rules/render/template-inspector.js';
import { TrialRenderer } from '../../rules/render/trial-renderer.js';
import { NO_READER, openCategoryOf, renderContexts } from '../../rules/ruleset/message.js';
import type { Named, Reader, Subject } from '../../rules/ruleset/message.js';
import {
  checkSenderOfChannel,
  checkTemplateSender,
  errorsOf,
  templateMode,
} from '../../rules/ruleset/template-mode.js';
import type { RenderContext, TemplatePart, TemplateParts } from '../../rules/template/template.js';
import { UnsubscribeLinks } from '../../engine/unsubscribe/unsubscribe-links.js';
import type { RenderedSenderDto } from '../delivery/rendered-sender.dto.js';
import { shownLanguage } from '../delivery/used-language.dto.js';
import { keyErrors } from '../messages/key-errors.js';
import { headerErrors } from '../notification/notification-templates.js';
import { readTranslations } from '../notification/read-translations.js';
import { SAMPLE_CHANNEL, SAMPLE_USER, renderDraft, sampleDigest } from './draft.js';
import type { PreviewDto, PreviewedDto } from './preview.dto.js';
import { SharedDrafts } from './shared-drafts.js';
import { LOAD_DRAFT } from './preview.sql.js';

const TIMEOUT_MS = 20_000;
const TOO_LONG = 'The preview takes too long: other templates are being rendered.';

const NO_USER = 'must be left out: one post to the room has no user. Or set per to person';

type ChannelOfDraft = Named & { type: string; config: Record<string, unknown> };

interface DraftRow extends Omit<Subject, 'occurrence' | 'createdAt' | 'digest' | 'channel'> {
  channel: ChannelOfDraft | null;
  user: Reader | null;
  /** Of the project. */
  messages: Messages | null;
}

interface ContextOfDraft {
  context: RenderContext;
  channel: ChannelOfDraft | null;
  wanted: WantedLocale;
  /** The locale of the organization. */
  usual: string | null;
  messages: Messages;
}

/** One process renders the previews of all organizations, one after the other. */
const LIMITS = { perOrganization: 2, inAll: 20, maxWaiting: 10, waitMs: TIMEOUT_MS, refusal: tooMany('previews') };

function refuse(errors: FieldErrors): void {
  if (hasErrors(errors)) throw invalid(errors);
}

function localeOf({ locale }: PreviewDto): string | undefined {
  if (locale === undefined) return undefined;
  const read = readLocale(locale);
  if ('problem' in read) throw invalidField('locale', 'invalid_format', read.problem);
  return read.locale;
}

@Injectable()
export class PreviewService {
  private readonly limiter = new TenantLimiter(LIMITS);

  constructor(
    private readonly database: Database,
    private readonly renderer: TrialRenderer,
    private readonly inspector: TemplateInspector,
    @Inject(DISPATCHERS) private readonly dispatchers: ReadonlyMap<string, Dispatcher>,
    private readonly links: UnsubscribeLinks,
    private readonly shared: SharedDrafts,
  ) {}

  async preview(scope: Scope, draft: PreviewDto, response: Response): Promise<PreviewedDto> {
    // A template can show every field of a user, so the key must be allowed to read users.
    if (draft.user !== undefined) scope.require(Permission.UserRead);
    return runWhileConnected(response, TIMEOUT_MS, TOO_LONG, (signal) =>
      this.limiter.run(scope.organizationId, () => {
        signal.throwIfAborted();
        return this.previewNow(scope, draft);
      }),
    );
  }

  private async previewNow(scope: Scope, draft: PreviewDto): Promise<PreviewedDto> {
    const { organizationId } = scope;
    const { subject, text, html, markdown, from, reply_to, headers } = draft;
    refuse(within('headers', headerErrors(headers)));
    const read = readTranslations(draft.translations);
    if ('errors' in read) throw invalid(read.errors);
    const own = { subject, text, html, markdown, from, reply_to, headers, ...read };
    const { problems, userParts, keys, partials } = await this.inspector.inspect(organizationId, own);
    const errors: FieldErrors = {};
    for (const [part, sentences] of Object.entries(problems))
      errors[part] = (sentences ?? []).map((sentence) => fieldError('invalid_template', sentence));
    refuse(errors);
    refuse(checkTemplateSender(own));
    const shared = await this.shared.load(scope, draft, partials);
    const parts = { ...own, ...(shared && { shared }) };
    const { context, channel, wanted, usual, messages } = await this.contextOf(scope, draft, userParts);
    refuse(keyErrors({ keys }, keysOf(messages)));
    if (channel) refuse(checkSenderOfChannel(channel, parts, this.dispatchers));
    const inspect = (each: TemplateParts, contexts: RenderContext[]) =>
      this.inspector.inspect(organizationId, each, contexts);
    const { parts: inLanguage, language } = translate(
      { ...parts, messages: keys.length > 0 ? messages : null },
      wanted.locale,
      usual,
    );
    const rendered = await renderDraft(this.renderer, inspect, inLanguage, context);
    if ('problem' in rendered) throw invalidField(rendered.part, 'invalid_template', rendered.problem);
    if (channel) this.refuseSender(rendered, channel);
    return {
      ...rendered,
      language: read.translations || keys.length > 0 ? shownLanguage({ language, ...wanted }) : null,
    };
  }

  private async contextOf(
    { organizationId, eventId }: Scope,
    draft: PreviewDto,
    userParts: TemplatePart[],
  ): Promise<ContextOfDraft> {
    const { channel = null, user = null, context = {} } = draft;
    const values = [organizationId, eventId, JSON.stringify(context), channel, user && emailKey(user)];
    const { rows } = await this.database.pool.query<DraftRow>(LOAD_DRAFT, values);
    const [row] = rows;
    if (!row) throw notFound('event');
    if (channel !== null && !row.channel)
      throw invalidField('channel', 'not_found', 'is not a channel of the project or the organization');
    if (user !== null && !row.user) throw invalidField('user', 'not_found', 'is not a user of the organization');
    // A template sees no settings of its channel.
    const { config, ...shown } = row.channel ?? SAMPLE_CHANNEL;
    const { per, errors } = templateMode({ ...shown, config }, draft.per, userParts, this.dispatchers);
    refuse(errors);
    if (per === 'room' && user !== null) throw invalidField('user', 'not_allowed', NO_USER);
    const reader: Reader = per === 'room' ? NO_READER : (row.user ?? SAMPLE_USER);
    const locale = localeOf(draft);
    const { messages, ...about } = row;
    const subject = { ...about, locale, occurrence: uuidV7(), createdAt: new Date(), digest: null, channel: shown };
    const links = per === 'room' ? null : this.links.sample(openCategoryOf(subject));
    const rendered = { ...renderContexts(subject, [{ ...reader, links }])[0]!, digest: sampleDigest(subject) };
    const { locale: usual } = row.recipients;
    const wanted = wantedLocale({ trigger: locale, user: reader.locale, organization: usual });
    return { context: rendered, channel: row.channel, wanted, usual, messages: messages ?? {} };
  }

  /** As it would be refused when it is sent. */
  private refuseSender({ from, reply_to, headers }: RenderedSenderDto, { type, config }: ChannelOfDraft): void {
    const sender = { from: from ?? '', reply_to: reply_to ?? '', headers: headers ?? {} };
    refuse(errorsOf(this.dispatchers.get(type)?.checkSender?.(sender, config) ?? []));
  }
}
