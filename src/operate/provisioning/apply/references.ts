import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parse } from 'yaml';
import { isObject } from '../../../platform/field/is-object.js';
import { fieldsOf } from '../../../dispatcher/config-fields.js';
import type { ConfigField, Dispatcher } from '../../../dispatcher/dispatcher.js';
import { TEXT_PARTS } from '../../../rules/template/template.js';
import { textsIn } from '../file.js';
import type {
  ApplicationEntry,
  ChannelEntry,
  FragmentEntry,
  NotificationEntry,
  OrganizationEntry,
  ProjectEntry,
  ProvisioningFile,
  Reference,
} from '../file.js';
import type { FileProblems } from '../problem/file-problems.js';

/** The source of referenced values. */
interface ReferenceSource {
  /** Null: variables are not read, and nothing is said about their values. */
  env: Record<string, string | undefined> | null;
  /** The folder that `file:` references are relative to. */
  folder: string;
  dispatchers: ReadonlyMap<string, Dispatcher>;
}

type Texts = NotificationEntry<string | { file: string }>;

/**
 * Replaces each reference to an environment variable or a file by its text. Whoever reads the file does it: a service that gets a file over
 * the network has other variables and files.
 */
export function resolveReferences(file: ProvisioningFile, source: ReferenceSource, problems: FileProblems): void {
  const references = new References(source, problems);
  for (const organization of file.organizations) {
    const { channels = [], projects = [] } = organization;
    references.logo(organization);
    for (const channel of channels) references.channel(channel);
    references.fragments(organization);
    for (const project of projects) {
      references.messages(project);
      for (const channel of project.channels ?? []) references.channel(channel);
      references.fragments(project);
      for (const application of project.applications ?? []) {
        references.webhook(application);
        for (const { notifications = [] } of application.events ?? [])
          for (const notification of notifications) references.templates(notification);
      }
    }
  }
}

class References {
  constructor(
    private readonly source: ReferenceSource,
    private readonly problems: FileProblems,
  ) {}

  channel(entry: ChannelEntry): void {
    const dispatcher = this.source.dispatchers.get(entry.type);
    for (const [key, value] of Object.entries(entry.config ?? {})) {
      if (typeof value !== 'object') continue;
      const field = dispatcher && fieldsOf(dispatcher).find((each) => each.key === key);
      entry.config![key] = convert(this.read(value as Reference, entry, `config.${key}`), field?.kind);
    }
  }

  webhook(entry: ApplicationEntry): void {
    const webhook = entry.status_webhook;
    if (!webhook || typeof webhook.secret === 'string') return;
    webhook.secret = this.read(webhook.secret, entry, 'status_webhook.secret');
  }

  logo(entry: OrganizationEntry): void {
    const logo = entry.logo as { file?: string } | null | undefined;
    if (!logo || logo.file === undefined) return;
    const bytes = this.bytes(logo.file, entry, 'logo');
    if (bytes) entry.logo = { content: bytes.toString('base64') };
    else delete entry.logo;
  }

  fragments({ layouts = [], partials = [] }: { layouts?: FragmentEntry[]; partials?: FragmentEntry[] }): void {
    for (const entry of [...layouts, ...partials] as FragmentEntry<string | { file: string }>[])
      for (const part of ['html', 'text', 'mjml'] as const) {
        const text = entry[part];
        if (typeof text === 'object' && text !== null) entry[part] = this.textOf(text.file, entry, part);
      }
  }

  templates(entry: Texts): void {
    for (const { field, texts } of (entry.templates ?? []).flatMap(textsIn)) {
      for (const part of TEXT_PARTS) {
        const text = texts[part];
        if (typeof text !== 'object') continue;
        texts[part] = this.textOf(text.file, entry, `${field}.${part}`);
      }
    }
  }

  /** A language with the only key `file` is in that file. */
  messages(entry: ProjectEntry): void {
    for (const [language, texts] of Object.entries(entry.messages ?? {})) {
      const file = fileIn(texts);
      if (file === null) continue;
      const field = `messages.${language}`;
      const text = this.file(file, entry, field);
      try {
        entry.messages![language] = text === null ? {} : (parse(text) as unknown);
      } catch {
        this.lacks(entry, field, `the file ${file}, but it is not YAML`);
        entry.messages![language] = {};
      }
    }
  }

  /** The text of a template, or any text after a problem. Editors add a line break at the end of a file, which should not be sent. */
  private textOf(file: string, entry: object, field: string): string {
    return this.file(file, entry, field)?.replace(/\r?\n$/, '') ?? '-';
  }

  /** The text, or an empty one after a problem. */
  private read(reference: Reference, entry: object, field: string): string {
    if ('file' in reference) {
      const text = this.file(reference.file, entry, field)?.trim();
      if (text === '') this.lacks(entry, field, `the file ${reference.file}, but it is empty`);
      return text ?? '';
    }
    if (this.source.env === null) {
      this.problems.ignore(entry, field);
      return reference.env; // any text: other fields may need that there is one
    }
    const text = this.source.env[reference.env] ?? '';
    if (text === '') this.lacks(entry, field, `the environment variable ${reference.env}: set it`);
    return text;
  }

  private file(file: string, entry: object, field: string): string | null {
    return this.bytes(file, entry, field)?.toString('utf8') ?? null;
  }

  private bytes(file: string, entry: object, field: string): Buffer | null {
    try {
      return readFileSync(resolve(this.source.folder, file));
    } catch {
      this.lacks(entry, field, `the file ${file}, but it cannot be read`);
      return null;
    }
  }

  private lacks(entry: object, field: string, what: string): void {
    this.problems.addUnread(entry, field, `needs ${what}`);
  }
}

function fileIn(texts: unknown): string | null {
  if (!isObject(texts) || Object.keys(texts).length !== 1) return null;
  return typeof texts.file === 'string' ? texts.file : null;
}

/** Converts the text of a reference to the type of its field: an integer, a boolean or a string. */
function convert(text: string, kind: ConfigField['kind'] | undefined): string | number | boolean {
  if (kind === 'integer' && /^-?\d+$/.test(text)) return Number(text);
  return kind === 'boolean' && /^(true|false)$/.test(text) ? text === 'true' : text;
}
