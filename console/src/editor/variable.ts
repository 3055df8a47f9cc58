/** A name that somebody types, such as `order.id`. */
export const FIELD_NAME = /^[A-Za-z_][\w-]*(\.[A-Za-z_][\w-]*)*$/;

/** A value that a template can show. */
export interface Variable {
  /** `order.id`; of the items of a list `items[].name`. */
  name: string;
  /** As text; empty: none is known. */
  sample: string;
  group: 'context' | 'user' | 'about' | 'layout';
}

/** What an editor offers while one types, and in its menus. */
export interface Words {
  variables: readonly Variable[];
  /** The names of partials. */
  partials: readonly string[];
  /** The keys of the project's messages, for the filter `t`, with a text of each. */
  messages?: readonly { name: string; sample: string }[];
}

export const NO_WORDS: Words = { variables: [], partials: [] };
