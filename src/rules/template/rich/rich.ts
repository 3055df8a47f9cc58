import { isObject } from '../../../platform/field/is-object.js';
import { IMAGE_URL, LINK_URL, urlProblem } from './message-url.js';
import { renderProviderTemplate } from './provider-template.js';
import type { ProviderTemplate } from './provider-template.js';

interface Action {
  label: string;
  url: string;
}

/** The sources of what a message has besides its text, for channels that show more than text. */
export interface RichParts {
  /** Where a click on the message leads. */
  url?: string | null;
  image?: string | null;
  actions?: readonly Action[] | null;
  /** For the app that shows the message: its texts are sources, other values stay as they are. */
  data?: Readonly<Record<string, unknown>> | null;
  /** A template of the provider, which it sends instead of the text. */
  template?: ProviderTemplate | null;
}

/** The same, as a message has it. */
export interface RenderedRich {
  url?: string;
  image?: string;
  actions?: readonly Action[];
  data?: Readonly<Record<string, unknown>>;
  template?: ProviderTemplate;
  /** What was left out or cut, and why. */
  left_out?: readonly string[];
}

export const RICH_PARTS = ['url', 'image', 'actions', 'data', 'template'] as const satisfies (keyof RichParts)[];

export type RichPart =
  | (typeof RICH_PARTS)[number]
  | `actions[${number}].${'label' | 'url'}`
  | `data${string}`
  | `template.parameters.${string}`;

export const MAX_ACTIONS = 2;

/** A longer label is cut: it is the text of a button. */
const LABEL_MAX_LENGTH = 80;

/** The most bytes of `data` as JSON. */
export const MAX_DATA_BYTES = 4096;

/** Whether a template has any of the parts. */
export const hasRichParts = (parts: RichParts): boolean => RICH_PARTS.some((part) => parts[part]);

/** The sources of actions, data and the parameters of a template, with their names. */
export function richSourcesOf({ actions, data, template }: RichParts): [RichPart, string][] {
  const ofActions = (actions ?? []).flatMap(({ label, url }, i): [RichPart, string][] => [
    [`actions[${i}].label`, label],
    [`actions[${i}].url`, url],
  ]);
  const texts = [
    ...(data ? leavesOf(data, 'data') : []),
    ...Object.entries(template?.parameters ?? {}).flatMap(([part, each]) =>
      leavesOf(each, `template.parameters.${part}`),
    ),
  ].filter((leaf): leaf is [RichPart, string] => typeof leaf[1] === 'string');
  return [...ofActions, ...texts];
}

/** The values in a JSON value that hold no others, by path: `data.items[0].name`. */
export function leavesOf(value: unknown, path: RichPart): [RichPart, unknown][] {
  const inner: [RichPart, unknown][] | null = Array.isArray(value)
    ? value.map((each: unknown, i) => [`${path}[${i}]` as RichPart, each])
    : isObject(value)
      ? Object.entries(value).map(([key, each]) => [`${path}.${key}` as RichPart, each])
      : null;
  return inner && inner.length > 0 ? inner.flatMap(([at, each]) => leavesOf(each, at)) : [[path, value]];
}

/** The field of a template that a source belongs to; undefined: another one. */
export const richFieldOf = (part: string): (typeof RICH_PARTS)[number] | undefined =>
  RICH_PARTS.find((field) => part === field || part.startsWith(`${field}.`) || part.startsWith(`${field}[`));

/**
 * Renders the parts. A link that is no link, and data that is too large, are left out: the text of the message is worth more than they are.
 * Undefined: nothing was rendered.
 */
export function renderRich(source: RichParts, render: (part: RichPart) => string): RenderedRich | undefined {
  const leftOut: string[] = [];
  const link = (part: RichPart, kind: typeof LINK_URL): string | undefined => {
    const url = render(part).trim();
    const problem = url === '' ? null : urlProblem(url, kind);
    if (problem !== null) leftOut.push(`${part} ${problem}: it was left out.`);
    return url === '' || problem !== null ? undefined : url;
  };
  const url = source.url ? link('url', LINK_URL) : undefined;
  const image = source.image ? link('image', IMAGE_URL) : undefined;
  const actions = (source.actions ?? []).flatMap((_, i): Action[] => {
    const label = render(`actions[${i}].label`)
      .replace(/[\s\p{Cc}]+/gu, ' ')
      .trim();
    const target = link(`actions[${i}].url`, LINK_URL);
    // Without a label or a URL there is no button: templates use this for a condition.
    if (label === '' || target === undefined) return [];
    if (label.length > LABEL_MAX_LENGTH)
      leftOut.push(`actions[${i}].label is longer than ${LABEL_MAX_LENGTH} characters: it was cut.`);
    return [{ label: cut(label), url: target }];
  });
  const data = source.data ? (renderedIn(source.data, 'data', render) as Record<string, unknown>) : undefined;
  const fits = !data || Buffer.byteLength(JSON.stringify(data)) <= MAX_DATA_BYTES;
  if (!fits) leftOut.push(`data is larger than ${MAX_DATA_BYTES} bytes: it was left out.`);
  const message: RenderedRich = {
    ...(url !== undefined && { url }),
    ...(image !== undefined && { image }),
    ...(actions.length > 0 && { actions }),
    ...(data && fits && { data }),
    ...(source.template && { template: renderProviderTemplate(source.template, render) }),
    ...(leftOut.length > 0 && { left_out: leftOut }),
  };
  return Object.keys(message).length > 0 ? message : undefined;
}

/** The cut must not split a character. */
const cut = (label: string) =>
  label.length > LABEL_MAX_LENGTH ? `${label.slice(0, LABEL_MAX_LENGTH - 1).replace(/\p{Surrogate}$/u, '')}…` : label;

/** The value with each of its texts rendered. A value of the context stays inside its text: it cannot add fields. */
function renderedIn(value: unknown, path: RichPart, render: (part: RichPart) => string): unknown {
  if (typeof value === 'string') return render(path);
  if (Array.isArray(value)) return value.map((each, i) => renderedIn(each, `${path}[${i}]` as RichPart, render));
  if (!isObject(value)) return value;
  const fields = Object.entries(value).map(([key, each]) => [
    key,
    renderedIn(each, `${path}.${key}` as RichPart, render),
  ]);
  return Object.fromEntries(fields) as Record<string, unknown>;
}
