import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { namedFile } from '../../../api/preview/named-files.js';
import { filenameProblem } from '../../../engine/file/file-fields.js';
import { visible, visibleLines } from '../../../platform/config/visible.js';
import { readLocale } from '../../../platform/field/region/locale.js';
import { isObject } from '../../../platform/field/is-object.js';
import type { StoredAttachment } from '../../../platform/queue/trigger-options.js';
import { validatedFile } from '../file/validated-file.js';
import { mailHead } from '../print/mail-head.js';
import { CommandError, print } from '../print/print.js';
import type { PrintOptions } from '../print/print.js';
import { writeWhole } from '../print/write-whole.js';
import { readJson } from '../remote/json-input.js';
import { chooseTemplates } from './choose-templates.js';
import type { TemplateChoice } from './choose-templates.js';
import { openFile } from './open-file.js';
import { renderTemplates } from './render-templates.js';
import type { PreviewedTemplate } from './render-templates.js';

export interface PreviewOptions extends TemplateChoice, PrintOptions {
  context?: string;
  user?: string;
  locale?: string;
  attach: string[];
  html?: string;
  open?: true;
}

/** Renders the chosen templates of a file as the service would. */
export async function preview(path: string, options: PreviewOptions): Promise<void> {
  const { file, problems, dispatchers } = validatedFile(path);
  problems.refuse();
  const chosen = chooseTemplates(file, options);
  const wantsHtml = options.html !== undefined || options.open === true;
  if (wantsHtml && chosen.length > 1)
    throw new CommandError(
      `${options.open ? '--open' : '--html'} takes one template, and ${chosen.length} are chosen: add --event, --notification or --channel`,
    );
  const { user } = options;
  const [locale, files] = [localeOf(options), filesOf(options)];
  const data = { user, locale, files, context: await contextOf(options), dispatchers };
  const messages = await renderTemplates(chosen, data, problems);
  const warnings = problems.warningLines();
  for (const text of warnings) process.stderr.write(`warning: ${visibleLines(text)}\n`);
  problems.refuse();
  const written = wantsHtml ? await writeHtml(options, messages[0]!) : null;
  await print(options, { messages, warnings }, messages.map(messageText).join('\n\n'));
  if (written !== null) process.stderr.write(`HTML written to ${written}\n`);
  if (written !== null && options.open) await openFile(written);
}

function localeOf({ locale }: PreviewOptions): string | undefined {
  if (locale === undefined) return undefined;
  const read = readLocale(locale);
  if ('problem' in read) throw new CommandError(`--locale ${read.problem}`);
  return read.locale;
}

/** The names of files, of which only the last part of a path counts. */
function filesOf({ attach }: PreviewOptions): StoredAttachment[] {
  return attach.map((path) => {
    const filename = basename(path);
    const problem = filenameProblem(filename);
    if (problem) throw new CommandError(`--attach ${problem.sentence}`);
    return namedFile({ filename });
  });
}

async function contextOf({ context: given }: PreviewOptions): Promise<Record<string, unknown>> {
  const context = given === undefined ? {} : await readJson('--context', given);
  if (!isObject(context)) throw new CommandError('--context must be a JSON object');
  return context;
}

/** Returns the file. Without a name it is a new one in the folder for temporary files. */
async function writeHtml(options: PreviewOptions, { html, notification, channel }: PreviewedTemplate): Promise<string> {
  if (html === '')
    throw new CommandError(`the template of ${notification} for ${channel} has no html, markdown or mjml`);
  const file = resolve(options.html ?? join(await mkdtemp(join(tmpdir(), 'carillon-preview-')), 'message.html'));
  // A browser guesses the encoding of a file that does not name it.
  const isNamed = options.html !== undefined || html.includes('charset=');
  await writeWhole(file, [isNamed ? html : `<!doctype html><meta charset="utf-8">\n${html}`]);
  return file;
}

function messageText(message: PreviewedTemplate): string {
  const { event, notification, channel, user, text, head, subject, checks } = message;
  const title = `--- ${event}, ${visible(notification)}: ${channel} to ${visible(user ?? 'the room')}`;
  const lines = mailHead(head ? { from: null, reply_to: null, headers: head, subject } : message);
  // A value that is missing is a warning, with its line in the file.
  const found = checks
    .filter(({ id }) => id !== 'missing_value')
    .map((each) => `${each.level}: ${visible(each.sentence)}`);
  return [title, ...lines, visibleLines(text), ...(found.length > 0 ? ['', ...found] : [])].join('\n');
}
