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
}

export const NO_WORDS: Words = { variables: [], partials: [] };
