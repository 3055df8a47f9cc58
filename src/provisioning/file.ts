import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import type { ErrorObject } from 'ajv';
import { parseDocument } from 'yaml';
import { NOT_AN_EMAIL, isEmailAddress } from '../field/email.js';
import type { StatusOutcome } from '../status-webhook/status-webhook.js';

export interface ProvisioningFile {
  organizations: OrganizationEntry[];
}

export interface OrganizationEntry {
  slug: string;
  name: string;
  channels?: ChannelEntry[];
  users?: UserEntry[];
  projects?: ProjectEntry[];
}

export interface ChannelEntry {
  slug: string;
  name: string;
  type: string;
  enabled?: boolean;
  /** Slug of the channel that sends a message after this channel gave up. */
  fallback?: string | null;
  config?: Record<string, ConfigValue>;
}

export type ConfigValue = string | number | boolean | Reference;

export type Reference = { env: string } | { file: string };

export interface UserEntry {
  email: string;
  first_name?: string;
  last_name?: string;
  locked?: boolean;
  custom_fields?: Record<string, unknown>;
  addresses?: { name: string; value: string }[];
}

export interface ProjectEntry {
  slug: string;
  name: string;
  enabled?: boolean;
  channels?: ChannelEntry[];
  distribution_lists?: DistributionListEntry[];
  applications?: ApplicationEntry[];
}

export interface DistributionListEntry {
  name: string;
  members?: (string | MemberEntry)[];
}

export interface MemberEntry {
  email: string;
  channel?: string;
  active?: boolean;
}

export interface ApplicationEntry {
  slug: string;
  name: string;
  enabled?: boolean;
  /** Null removes it. */
  status_webhook?: StatusWebhookEntry | null;
  events?: EventEntry[];
}

export interface StatusWebhookEntry {
  url: string;
  secret: string | Reference;
  outcomes?: StatusOutcome[];
  enabled?: boolean;
}

export interface EventEntry {
  slug: string;
  name: string;
  enabled?: boolean;
  /** Null: no limit. */
  max_recipients?: number | null;
  /** Null: the default of the service. */
  retention_days?: number | null;
  notifications?: NotificationEntry[];
}

/** `Text` is a string, or a reference to a template file that is not read yet. */
export interface NotificationEntry<Text = string> {
  name: string;
  enabled?: boolean;
  when?: string;
  distribution_list?: string;
  distribution_lists?: string[];
  audience?: Record<string, unknown>;
  templates?: TemplateEntry<Text>[];
}

export interface TemplateEntry<Text = string> {
  channel: string;
  subject?: Text;
  text?: Text;
  html?: Text;
  markdown?: Text;
}

/** A file that cannot be applied. Each problem names a place in the file and says what is wrong there. */
export class ProvisioningError extends Error {
  constructor(readonly problems: string[]) {
    super(problems.join('\n'));
  }
}

export const MAX_PROBLEMS = 20;
const SCHEMA_ID = 'urn:carillon:provisioning';

export const provisioningSchema = JSON.parse(
  readFileSync(new URL('./provisioning.schema.json', import.meta.url), 'utf8'),
) as object;
const ajv = new Ajv({ allErrors: true, allowUnionTypes: true });
ajv.addFormat('email-address', isEmailAddress);
const validate = ajv.compile<ProvisioningFile>(provisioningSchema);

/** Parses the YAML text and validates it against the schema. */
export function readProvisioningFile(text: string): ProvisioningFile {
  const document = parseDocument(text);
  if (document.errors.length > 0)
    throw new ProvisioningError(document.errors.map(({ message }) => message.split('\n')[0]!));
  const value: unknown = document.toJS({ maxAliasCount: 100 });
  if (validate(value)) return value;
  // The errors inside the branches of an `anyOf` are reported too, so the error of the `anyOf` itself adds nothing.
  const errors = (validate.errors ?? []).filter(({ keyword }) => keyword !== 'anyOf');
  throw new ProvisioningError([...new Set(errors.map(problem))].slice(0, MAX_PROBLEMS));
}

interface Entries {
  user: UserEntry;
  member: MemberEntry;
}

const entryChecks = new Map<string, ReturnType<typeof ajv.compile>>();

/** Validates one entry by itself. Returns the entry, or the problem. */
export function checkEntry<Name extends keyof Entries>(
  definition: Name,
  value: unknown,
): Entries[Name] | { problem: string } {
  const check = entryChecks.get(definition) ?? ajv.compile({ $ref: `${SCHEMA_ID}#/definitions/${definition}` });
  entryChecks.set(definition, check);
  if (!check(value)) return { problem: check.errors!.map(problem).join('; ') };
  // PostgreSQL cannot store NUL.
  if (JSON.stringify(value).includes('\\u0000')) return { problem: 'must not hold a NUL character' };
  return value as Entries[Name];
}

function problem({ instancePath, keyword, params, message }: ErrorObject): string {
  const steps = instancePath.split('/').slice(1);
  const place =
    steps
      .map((step) => (/^\d+$/.test(step) ? `[${step}]` : `.${step}`))
      .join('')
      .replace(/^\./, '') || 'file';
  if (keyword === 'additionalProperties') {
    return `${place}: ${(params as { additionalProperty: string }).additionalProperty} is not a known field`;
  }
  if (keyword === 'format') return `${place}: ${NOT_AN_EMAIL}`;
  return `${place}: ${message ?? 'is not valid'}`;
}
