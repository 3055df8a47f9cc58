import { templateField } from '../../../api/notification/notification-templates.js';
import { renderDraft } from '../../../api/preview/draft.js';
import type { PreviewedDto } from '../../../api/preview/preview.dto.js';
import { visible, visibleLines } from '../../../platform/config/visible.js';
import { hasErrors, within } from '../../../platform/field/error/field-error.js';
import { isObject } from '../../../platform/field/is-object.js';
import { readMessages } from '../../../rules/language/read-messages.js';
import { translate } from '../../../rules/language/translate.js';
import { TemplateInspector } from '../../../rules/render/template-inspector.js';
import { TrialRenderer } from '../../../rules/render/trial-renderer.js';
import type { FileProblems } from '../../provisioning/problem/file-problems.js';
import { validatedFile } from '../file/validated-file.js';
import { mailHead } from '../print/mail-head.js';
import { CommandError, print } from '../print/print.js';
import type { PrintOptions } from '../print/print.js';
import { writeWhole } from '../print/write-whole.js';
import { readJson } from '../remote/json-input.js';
import { chooseTemplates, eventName } from './choose-templates.js';
import type { FileTemplate, TemplateChoice } from './choose-templates.js';
import { sharedInFile } from './shared-in-file.js';
import { draftContext } from './draft-context.js';
import type { DraftData } from './draft-context.js';

export interface PreviewOptions extends TemplateChoice, PrintOptions {
  context?: string;
  user?: string;
  html?: string;
}

interface Message extends Omit<PreviewedDto, 'language'> {
  event: string;
  notification: string;
  channel: string;
  /** Null: a post to a room. */
  user: string | null;
}

/** Renders the chosen templates of a file as the service would. */
export async function preview(path: string, options: PreviewOptions): Promise<void> {
  const { file, problems, dispatchers } = validatedFile(path);
  problems.refuse();
  const chosen = chooseTemplates(file, options);
  if (options.html !== undefined && chosen.length > 1)
    throw new CommandError(
      `--html takes one template, and ${chosen.length} are chosen: add --event, --notification or --channel`,
    );
  const messages = await render(chosen, { ...options, context: await contextOf(options), dispatchers }, problems);
  const warnings = problems.warningLines();
  for (const text of warnings) process.stderr.write(`warning: ${visibleLines(text)}\n`);
  problems.refuse();
  if (options.html !== undefined) await writeHtml(options.html, messages[0]!);
  await print(options, { messages, warnings }, messages.map(messageText).join('\n\n'));
}

async function contextOf({ context: given }: PreviewOptions): Promise<Record<string, unknown>> {
  const context = given === undefined ? {} : await readJson('--context', given);
  if (!isObject(context)) throw new CommandError('--context must be a JSON object');
  return context;
}

async function render(chosen: FileTemplate[], data: DraftData, problems: FileProblems): Promise<Message[]> {
  const renderer = new TrialRenderer({ publicUrl: null });
  const inspector = new TemplateInspector(renderer);
  const messages: Message[] = [];
  try {
    for (const each of chosen) {
      const { notification, template } = each;
      const { channel, per: _, ...given } = template;
      const context = draftContext(each, data);
      const texts = readMessages(each.project.messages ?? {});
      const used = 'errors' in texts ? null : texts.messages;
      const { partials: named } = await inspector.inspect(0, given);
      const { shared, errors } = sharedInFile(each, named);
      if (hasErrors(errors)) {
        problems.add(notification, within(templateField(channel), errors));
        continue;
      }
      const { parts } = translate(
        { ...given, shared, messages: used },
        context.region!.locale,
        each.organization.locale ?? null,
      );
      const rendered = await renderDraft(renderer, (...of) => inspector.inspect(0, ...of), parts, context);
      if ('problem' in rendered) {
        const part = rendered.part === 'body' ? undefined : rendered.part;
        problems.addOne(notification, templateField(channel, part), 'invalid_template', rendered.problem);
        continue;
      }
      if (rendered.missing?.length)
        problems.warn(notification, templateField(channel), `has no value for ${rendered.missing.join(', ')}`);
      const user = context.user === null ? null : String(context.user.email);
      messages.push({ event: eventName(each), notification: notification.name, channel, user, ...rendered });
    }
  } finally {
    await renderer.close();
  }
  return messages;
}

async function writeHtml(file: string, { html, notification, channel }: Message): Promise<void> {
  if (html === '') throw new CommandError(`the template of ${notification} for ${channel} has no html or markdown`);
  await writeWhole(file, [html]);
}

function messageText(message: Message): string {
  const { event, notification, channel, user, text } = message;
  const head = `--- ${event}, ${visible(notification)}: ${channel} to ${visible(user ?? 'the room')}`;
  return [head, ...mailHead(message), visibleLines(text)].join('\n');
}
