import type { ProviderTemplate, TranslationGap } from '@carillon/client';
import type { Day } from '../../form/days-input';
import { text } from '../../text/text';
import { sayAudience } from './audience/say';
import { sayAcknowledge, sayWholeStep } from './step/say';
import { sayDigest, sayLimit, sayWindow } from './waiting/say';

/** Whether it does not exist yet: its drafts are `new`, `new-2` and so on. */
export const isNewRule = (id: string) => id.startsWith('new');

/** Whom a rule means instead of lists and an audience. */
export type RuleTo = 'recipients' | 'told' | { context: string };

/** What a rule says, whether it is saved, edited or of the past. */
export interface RuleContent {
  name: string;
  enabled: boolean;
  when: string | null;
  distribution_lists: string[];
  to: RuleTo | null;
  audience: unknown;
  window: RuleWindow | null;
  digest: RuleDigest | null;
  limit: RuleLimit | null;
  /** Null: all channels at once. */
  steps: RuleStep[] | null;
  /** Null: an acknowledgement of anyone ends the steps. */
  acknowledge: RuleAcknowledge | null;
  /** A field of the context. */
  thread: string | null;
  templates: RuleTemplate[];
  /** Only of a rule as it is saved. */
  translation_gaps?: TranslationGap[];
}

/** A field that is left out has its default, or is not filled in yet. */
export interface RuleWindow {
  days?: readonly Day[];
  from: string;
  to: string;
}

export interface RuleDigest {
  window?: string | number;
  schedule?: { days?: readonly Day[]; at: string };
  sliding?: boolean;
  first?: 'now' | 'wait';
  max_items?: number;
  key?: string;
}

export interface RuleLimit {
  count?: number;
  per: 'minute' | 'hour' | 'day' | 'week';
  then?: 'drop' | 'digest';
  key?: string;
}

export interface RuleStep {
  /** Slugs. */
  channels: string[];
  after?: string;
  unless?: 'sent' | 'delivered' | 'seen' | 'read' | 'acknowledged';
  repeat?: { every: string; times: number };
  /** Whom it means instead of the users of the step before. */
  to?: RuleStepTo;
  /** Left out: that of the notification. */
  window?: RuleWindow;
}

export interface RuleStepTo {
  distribution_lists: string[];
  audience?: unknown;
}

export interface RuleAcknowledge {
  by: 'anyone' | 'each';
  /** Left out: it never lapses. */
  for?: string;
}

export interface RuleTemplate {
  channel: string | null;
  per: 'room' | 'person';
  subject: string | null;
  text: string | null;
  html: string | null;
  markdown: string | null;
  mjml?: string | null;
  from: string | null;
  reply_to: string | null;
  headers: Readonly<Record<string, string>> | null;
  url?: string | null;
  image?: string | null;
  actions?: readonly { label: string; url: string }[] | null;
  data?: Readonly<Record<string, unknown>> | null;
  /** A template of the provider. */
  template?: ProviderTemplate | null;
  /** The slug of a layout. */
  layout?: string | null;
  /** By language tag. */
  translations?: Readonly<Record<string, Translation>> | null;
}

export type Translation = { [Part in (typeof TEMPLATE_PARTS)[number]]?: string | null } & {
  /** That it fits the template as it is: only written. */
  of?: string | null;
};

export const TEMPLATE_PARTS = ['subject', 'markdown', 'html', 'mjml', 'text'] as const;
export const SENDER_PARTS = ['from', 'reply_to'] as const;

/** A whole mail around a text that is none yet. */
export const inMjml = (body: string) =>
  body.includes('<mjml')
    ? body
    : `<mjml>
  <mj-body>
    <mj-section>
      <mj-column>
        <mj-text>
${body}
        </mj-text>
      </mj-column>
    </mj-section>
  </mj-body>
</mjml>`;

const headerLines = (headers: RuleTemplate['headers']) =>
  Object.entries(headers ?? {})
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');

const pretty = (value: unknown) => (value === null || value === undefined ? '' : JSON.stringify(value, null, 2));

export const toText = (to: RuleTo | null | undefined) =>
  !to ? '' : typeof to === 'string' ? text.rule.tos[to] : text.rule.toContext(to.context);

/** What a channel is called. No two have the same name. */
export type ChannelName = (slug: string) => string;
const itsSlug: ChannelName = (slug) => slug;

/** Every part of a rule as text, by a readable name: what to compare and what to list as changed. */
export function partsOf(rule: RuleContent | null, nameOf = itsSlug): Record<string, string> {
  if (!rule) return {};
  const parts: [string, string][] = [
    [text.rule.name, rule.name],
    [text.rule.enabled, rule.enabled ? text.event.on : text.event.off],
    [text.rule.when, rule.when ?? ''],
    [text.rule.lists, rule.distribution_lists.join('\n')],
    [text.rule.to, toText(rule.to)],
    [text.rule.audience, rule.audience ? sayAudience(rule.audience) : ''],
    [text.rule.window, rule.window ? sayWindow(rule.window) : ''],
    [text.rule.digest, rule.digest ? sayDigest(rule.digest) : ''],
    [text.rule.limit, rule.limit ? sayLimit(rule.limit) : ''],
    [text.rule.steps.title, (rule.steps ?? []).map((step) => sayWholeStep(step, nameOf)).join('\n')],
    [text.rule.acknowledge.title, rule.acknowledge ? sayAcknowledge(rule.acknowledge) : ''],
    [text.rule.thread, rule.thread ?? ''],
    ...rule.templates.flatMap((template) => {
      const channel = template.channel === null ? text.rule.goneChannel : nameOf(template.channel);
      return [...SENDER_PARTS, ...TEMPLATE_PARTS]
        .map((name): [string, string] => [text.rule.partOf(text.rule.parts[name], channel), template[name] ?? ''])
        .concat([
          [text.rule.partOf(text.rule.headers, channel), headerLines(template.headers)],
          [text.rule.partOf(text.rule.rich.url, channel), template.url ?? ''],
          [text.rule.partOf(text.rule.rich.image, channel), template.image ?? ''],
          [text.rule.partOf(text.rule.rich.action, channel), pretty(template.actions)],
          [text.rule.partOf(text.rule.rich.data, channel), pretty(template.data)],
          [text.rule.partOf(text.rule.providerTemplate.title, channel), pretty(template.template)],
          [text.rule.partOf(text.rule.layout, channel), template.layout ?? ''],
          [text.rule.partOf(text.rule.per, channel), text.rule.pers[template.per]],
          ...translatedParts(template, channel),
        ]);
    }),
  ];
  return Object.fromEntries(parts.filter(([, value]) => value !== ''));
}

const translatedParts = ({ translations }: RuleTemplate, channel: string): [string, string][] =>
  Object.entries(translations ?? {}).flatMap(([language, texts]) => {
    const nameOf = (part: string) => text.rule.partOf(text.rule.languages.partIn(part, language), channel);
    return [
      ...TEMPLATE_PARTS.map((name): [string, string] => [nameOf(text.rule.parts[name]), texts[name] ?? '']),
      [nameOf(text.rule.languages.state), texts.of ? text.rule.languages.fits : ''],
    ];
  });

/** The names of the parts that differ. */
export function changedParts(before: RuleContent | null, after: RuleContent, nameOf = itsSlug): string[] {
  const [old, fresh] = [partsOf(before, nameOf), partsOf(after, nameOf)];
  return [...new Set([...Object.keys(old), ...Object.keys(fresh)])].filter((name) => old[name] !== fresh[name]);
}

/** Only what differs, so that nothing else that somebody changed meanwhile is undone. Templates are replaced together. */
export function bodyOf(saved: RuleContent | null, edited: RuleContent): Record<string, unknown> {
  const given = Object.entries(edited).filter(
    ([name, value]) => !saved || JSON.stringify(saved[name as keyof RuleContent]) !== JSON.stringify(value),
  );
  return Object.fromEntries(given);
}
