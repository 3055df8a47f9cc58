import { Inject, Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { Permission } from '../../auth/permission.js';
import type { Scope } from '../../auth/scope.js';
import type { Dispatcher } from '../../dispatcher/dispatcher.js';
import { DISPATCHERS } from '../../dispatcher/dispatcher.module.js';
import { fieldError, hasErrors, within } from '../../platform/field/error/field-error.js';
import type { FieldErrors } from '../../platform/field/error/field-error.js';
import { TenantLimiter } from '../../platform/tenant-limiter.js';
import { tooMany } from '../../platform/http/limit/too-many.js';
import { invalid, invalidField } from '../../platform/http/problem.js';
import { runWhileConnected } from '../../platform/http/stream/run-while-connected.js';
import { translate } from '../../rules/language/translate.js';
import { keysOf } from '../../rules/language/messages.js';
import { TemplateInspector } from '../../rules/render/template-inspector.js';
import { TrialRenderer } from '../../rules/render/trial-renderer.js';
import { withHtml } from '../../rules/template/mjml/convert-parts.js';
import { checkPartsOfChannel, checkTemplateSender, errorsOf } from '../../rules/ruleset/template-mode.js';
import { checkRich } from '../../rules/template/rich/check-rich.js';
import type { RenderContext, RenderedMessage, TemplateParts } from '../../rules/template/template.js';
import { shownLanguage } from '../delivery/used-language.dto.js';
import { keyErrors } from '../messages/key-errors.js';
import { headerErrors } from '../notification/notification-templates.js';
import { readTranslations } from '../notification/read-translations.js';
import { DraftLoader } from './draft-loader.js';
import type { ChannelOfDraft } from './draft-loader.js';
import { renderDraft } from './draft.js';
import type { PreviewDto, PreviewedDto } from './preview.dto.js';
import { SharedDrafts } from './shared-drafts.js';
import { shownDraft } from './shown-draft.js';

const TIMEOUT_MS = 20_000;
const TOO_LONG = 'The preview takes too long: other templates are being rendered.';

/** One process renders the previews of all organizations, one after the other. */
const LIMITS = { perOrganization: 2, inAll: 20, maxWaiting: 10, waitMs: TIMEOUT_MS, refusal: tooMany('previews') };

function refuse(errors: FieldErrors): void {
  if (hasErrors(errors)) throw invalid(errors);
}

@Injectable()
export class PreviewService {
  private readonly limiter = new TenantLimiter(LIMITS);

  constructor(
    private readonly renderer: TrialRenderer,
    private readonly inspector: TemplateInspector,
    @Inject(DISPATCHERS) private readonly dispatchers: ReadonlyMap<string, Dispatcher>,
    private readonly loader: DraftLoader,
    private readonly shared: SharedDrafts,
  ) {}

  async preview(scope: Scope, draft: PreviewDto, response: Response): Promise<PreviewedDto> {
    const { rendered, target, shared, language } = await this.render(scope, draft, response);
    return { ...shownDraft(rendered, target, shared), language };
  }

  /** Renders a draft for the user, channel and data that it names. */
  async render(scope: Scope, draft: PreviewDto, response: Response) {
    // A template can show every field of a user, so the key must be allowed to read users.
    if (draft.user !== undefined) scope.require(Permission.UserRead);
    if (draft.occurrence !== undefined) scope.require(Permission.OccurrenceRead);
    return runWhileConnected(response, TIMEOUT_MS, TOO_LONG, (signal) =>
      this.limiter.run(scope.organizationId, () => {
        signal.throwIfAborted();
        return this.renderNow(scope, draft);
      }),
    );
  }

  private async renderNow(scope: Scope, draft: PreviewDto) {
    const { organizationId } = scope;
    const { subject, text, html, markdown, mjml, from, reply_to, headers } = draft;
    const { url, image, actions, data, template } = draft;
    refuse(within('headers', headerErrors(headers)));
    refuse(checkRich({ url, image, actions, data, template }));
    const read = readTranslations(draft.translations);
    if ('errors' in read) throw invalid(read.errors);
    const rich = { url, image, actions, data, template };
    const own = { subject, text, html, markdown, mjml, from, reply_to, headers, ...rich, ...read };
    const layout = draft.layout || (draft.layout_draft && 'draft');
    const report = await this.inspector.inspect(organizationId, { ...own, layout });
    const { problems, userParts, keys, partials } = report;
    const errors: FieldErrors = {};
    for (const [part, sentences] of Object.entries(problems))
      errors[part] = (sentences ?? []).map((sentence) => fieldError('invalid_template', sentence));
    refuse(errors);
    refuse(checkTemplateSender(own));
    const { shared: stored, keys: ofDrafts } = await this.shared.load(scope, draft, partials);
    const { context, target, channel, wanted, usual, messages } = await this.loader.load(scope, draft, userParts);
    refuse(keyErrors([...keys, ...ofDrafts], keysOf(messages)));
    const shared = stored && ofDrafts.length > 0 ? { ...stored, messages } : stored;
    const parts = { ...withHtml(own, report.html), ...(shared && { shared }) };
    if (channel) refuse(checkPartsOfChannel(channel, parts, this.dispatchers));
    const inspect = (each: TemplateParts, contexts: RenderContext[]) =>
      this.inspector.inspect(organizationId, each, contexts);
    const { parts: inLanguage, language } = translate(
      { ...parts, messages: keys.length > 0 ? messages : null },
      wanted.locale,
      usual,
    );
    const rendered = await renderDraft(this.renderer, inspect, inLanguage, context);
    if ('problem' in rendered) throw invalidField(rendered.part, 'invalid_template', rendered.problem);
    if (channel) this.refuseSender(rendered.message, channel);
    return {
      ...{ rendered, target, shared, channel },
      language: read.translations || keys.length > 0 ? shownLanguage({ language, ...wanted }) : null,
    };
  }

  /** As it would be refused when it is sent. */
  private refuseSender({ sender = {} }: RenderedMessage, { type, config }: ChannelOfDraft): void {
    refuse(errorsOf(this.dispatchers.get(type)?.checkSender?.(sender, config) ?? []));
  }
}
