import { shownLanguage } from '../../../api/delivery/used-language.dto.js';
import { templateField } from '../../../api/notification/notification-templates.js';
import { renderDraft } from '../../../api/preview/draft.js';
import type { PreviewedDto } from '../../../api/preview/preview.dto.js';
import { shownDraft } from '../../../api/preview/shown-draft.js';
import { hasErrors, within } from '../../../platform/field/error/field-error.js';
import { readMessages } from '../../../rules/language/read-messages.js';
import { translate } from '../../../rules/language/translate.js';
import { wantedLocale } from '../../../rules/language/used-language.js';
import { withHtml } from '../../../rules/template/mjml/convert-parts.js';
import { TemplateInspector } from '../../../rules/render/template-inspector.js';
import { TrialRenderer } from '../../../rules/render/trial-renderer.js';
import type { FileProblems } from '../../provisioning/problem/file-problems.js';
import { eventName } from './choose-templates.js';
import type { FileTemplate } from './choose-templates.js';
import { draftContext } from './draft-context.js';
import type { DraftData } from './draft-context.js';
import { sharedInFile } from './shared-in-file.js';

export interface PreviewedTemplate extends PreviewedDto {
  event: string;
  notification: string;
  channel: string;
  /** Null: a post to a room. */
  user: string | null;
}

interface Tools {
  renderer: TrialRenderer;
  inspector: TemplateInspector;
  problems: FileProblems;
}

/** Renders templates of a file as the service would, without those that have a problem. */
export async function renderTemplates(
  chosen: FileTemplate[],
  data: DraftData,
  problems: FileProblems,
): Promise<PreviewedTemplate[]> {
  const renderer = new TrialRenderer({ publicUrl: null });
  const tools = { renderer, inspector: new TemplateInspector(renderer), problems };
  const messages: PreviewedTemplate[] = [];
  try {
    for (const each of chosen) messages.push(...(await renderOne(each, data, tools)));
  } finally {
    await renderer.close();
  }
  return messages;
}

async function renderOne(each: FileTemplate, data: DraftData, tools: Tools): Promise<PreviewedTemplate[]> {
  const { renderer, inspector, problems } = tools;
  const { notification, template } = each;
  const { channel, per: _, ...given } = template;
  const { context, target } = draftContext(each, data);
  const { partials, keys, html } = await inspector.inspect(0, given);
  const { shared: sharedOfFile, errors } = sharedInFile(each, partials);
  if (hasErrors(errors)) {
    problems.add(notification, within(templateField(channel), errors));
    return [];
  }
  const texts = readMessages(each.project.messages ?? {});
  const messages = 'errors' in texts ? null : texts.messages;
  const shared = sharedOfFile && { ...sharedOfFile, ...(messages && { messages }) };
  const usual = each.organization.locale ?? null;
  const { parts, language } = translate({ ...withHtml(given, html), shared, messages }, context.region!.locale, usual);
  const rendered = await renderDraft(renderer, (...of) => inspector.inspect(0, ...of), parts, context);
  if ('problem' in rendered) {
    const part = rendered.part === 'body' ? undefined : rendered.part;
    problems.addOne(notification, templateField(channel, part), 'invalid_template', rendered.problem);
    return [];
  }
  if (rendered.missing?.length)
    problems.warn(notification, templateField(channel), `has no value for ${rendered.missing.join(', ')}`);
  const wanted = wantedLocale({ trigger: data.locale, user: target.reader.locale, organization: usual });
  const message = {
    ...{ event: eventName(each), notification: notification.name, channel, user: target.reader.email },
    ...shownDraft(rendered, target, shared),
    language: given.translations || keys.length > 0 ? shownLanguage({ language, ...wanted }) : null,
  };
  return [message];
}
