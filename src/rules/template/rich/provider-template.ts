import { isObject } from '../../../platform/field/is-object.js';

/**
 * A template that the provider has, such as those that Meta approves for WhatsApp, and the values of its parameters. In a template of ours, each
 * value is a source.
 */
export interface ProviderTemplate {
  name: string;
  language: string;
  parameters?: TemplateParameters | null;
}

interface TemplateParameters {
  header?: ParameterTexts | null;
  body?: ParameterTexts | null;
  /** By the position of the button. Null: the button has no parameter. */
  buttons?: readonly (string | null)[] | null;
}

/** By position, or by name: a provider knows a parameter by one of the two. */
type ParameterTexts = readonly string[] | Readonly<Record<string, string>>;

export const PARAMETER_PARTS = ['header', 'body', 'buttons'] as const;

/** The template with each of its values rendered. Providers refuse line breaks and wide gaps in them. */
export function renderProviderTemplate(
  { name, language, parameters }: ProviderTemplate,
  render: (part: `template.parameters.${string}`) => string,
): ProviderTemplate {
  const made = PARAMETER_PARTS.flatMap((part): [string, unknown][] => {
    const texts = parameters?.[part];
    return texts ? [[part, renderedTexts(texts, `template.parameters.${part}`, render)]] : [];
  });
  return { name, language, parameters: made.length > 0 ? Object.fromEntries(made) : null };
}

type Texts = ParameterTexts | readonly (string | null)[];

function renderedTexts(
  texts: Texts,
  at: `template.parameters.${string}`,
  render: (part: `template.parameters.${string}`) => string,
) {
  const valueOf = (part: typeof at, source: unknown) =>
    source === null
      ? null
      : render(part)
          .replace(/[\s\p{Cc}]+/gu, ' ')
          .trim();
  return Array.isArray(texts)
    ? texts.map((source: unknown, i) => valueOf(`${at}[${i}]`, source))
    : Object.fromEntries(Object.entries(texts).map(([name, source]) => [name, valueOf(`${at}.${name}`, source)]));
}

/** Every value of a rendered template with its path. */
export function parametersOf({ parameters }: ProviderTemplate): [path: string, text: string][] {
  return PARAMETER_PARTS.flatMap((part) => {
    const texts = parameters?.[part];
    const all: [string, unknown][] = Array.isArray(texts)
      ? (texts as unknown[]).map((text, i) => [`template.parameters.${part}[${i}]`, text])
      : isObject(texts)
        ? Object.entries(texts).map(([name, text]) => [`template.parameters.${part}.${name}`, text])
        : [];
    return all.filter((each): each is [string, string] => typeof each[1] === 'string');
  });
}
