import type { Messages } from '../../language/messages.js';

/** A layout or a partial. A part that it does not have is null or left out. */
export interface FragmentSource {
  html?: string | null;
  text?: string | null;
}

/** How the organization looks, for its layouts and partials. */
export interface Brand {
  /** The address of a picture. In a ruleset it is a path: `PUBLIC_URL` may change. */
  logo?: string;
  /** The size in which it is shown. */
  logo_width?: number;
  logo_height?: number;
  /** As `#1a7f37`. */
  color?: string;
  /** The line at the end of a mail: a postal address. */
  address?: string;
  links?: readonly { label: string; url: string }[];
}

/** What a template uses of others, as a ruleset pins it: the same for all its messages. */
export interface SharedSources {
  layout?: FragmentSource;
  /** By name: also those that only the layout or other partials use. */
  partials?: Readonly<Record<string, FragmentSource>>;
  brand?: Brand;
  /** The messages of the project that the layout and the partials use, in all languages. Left out: they use none. */
  messages?: Messages;
}

/** Every source among them. */
export function sharedTexts({ layout, partials = {} }: SharedSources): string[] {
  return [layout, ...Object.values(partials)].flatMap((each) => [each?.html ?? [], each?.text ?? []].flat());
}
