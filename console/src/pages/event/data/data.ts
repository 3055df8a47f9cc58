/** The data of a trigger as a form shows them: a row for each value, with its whole name. */
export type Data = Record<string, unknown>;

/** Names of fields, and indexes of entries. */
export type Path = readonly (string | number)[];

export const KINDS = ['text', 'number', 'yesNo'] as const;
export type Kind = (typeof KINDS)[number];

export interface ValueRow {
  path: Path;
  kind: Kind;
  /** Undefined: it is not filled in. */
  value: string | number | boolean | null | undefined;
  /** A notification uses it. */
  isKnown: boolean;
}

export interface ListRow {
  path: Path;
  /** Adds an entry: what the others have, without values. */
  blank: unknown;
}

export type Row = ValueRow | ListRow;

/** A text that is not filled in yet: previews show it, and triggers leave it out. */
export const UNFILLED = '…';

/** More would be no form any more. */
export const MOST_ROWS = 100;

interface Node {
  fields: Map<string, Node>;
  item: Node | null;
}

const newNode = (): Node => ({ fields: new Map(), item: null });

/** From names such as `order.lines[].sku`. */
function treeOf(names: readonly string[]): Node {
  const root = newNode();
  for (const name of names) {
    let node = root;
    for (const part of name.split('.')) {
      const [, field = '', lists = ''] = /^(.*?)((?:\[\])*)$/.exec(part) ?? [];
      const known = node.fields.get(field) ?? newNode();
      node.fields.set(field, known);
      node = known;
      for (let i = 0; i < lists.length; i += 2) node = node.item ??= newNode();
    }
  }
  return root;
}

const isObject = (value: unknown): value is Data =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The rows of these data: the fields with these names first, then all others. */
export const rowsOf = (data: Data, names: readonly string[]): Row[] => rowsAt(treeOf(names), data, []);

function rowsAt(node: Node | null, value: unknown, path: Path): Row[] {
  if (Array.isArray(value) || (node?.item && !isObject(value))) {
    const entries = Array.isArray(value) ? (value as unknown[]) : [];
    const blank = node?.item ? blankOf(node.item) : blankLike(entries[0]);
    return [...entries.flatMap((entry, i) => rowsAt(node?.item ?? null, entry, [...path, i])), { path, blank }];
  }
  const isInner = isObject(value) || (node !== null && node.fields.size > 0);
  if (!isInner && path.length > 0) {
    const isFilled = value !== undefined && value !== UNFILLED;
    const shown = isFilled ? (value as ValueRow['value']) : undefined;
    return [{ path, kind: kindOf(value), value: shown, isKnown: node !== null }];
  }
  const inner = isObject(value) ? value : {};
  const names = new Set([...(node?.fields.keys() ?? []), ...Object.keys(inner)]);
  return [...names].flatMap((name) => rowsAt(node?.fields.get(name) ?? null, inner[name], [...path, name]));
}

const kindOf = (value: unknown): Kind =>
  typeof value === 'number' ? 'number' : typeof value === 'boolean' ? 'yesNo' : 'text';

function blankOf({ fields, item }: Node): unknown {
  if (item) return [];
  if (fields.size === 0) return UNFILLED;
  return Object.fromEntries([...fields].map(([name, node]) => [name, blankOf(node)]));
}

function blankLike(entry: unknown): unknown {
  if (Array.isArray(entry)) return [];
  if (!isObject(entry)) return UNFILLED;
  return Object.fromEntries(Object.entries(entry).map(([name, value]) => [name, blankLike(value)]));
}

/** Data with every field of these names, to start from; what they have stays. */
export function withNames(data: Data, names: readonly string[]): Data {
  const fill = (node: Node, value: unknown): unknown => {
    if (node.item) return value === undefined ? [blankOf(node.item)] : value;
    if (node.fields.size === 0) return value === undefined ? UNFILLED : value;
    if (value !== undefined && !isObject(value)) return value;
    const inner: Data = value ?? {};
    const known = [...node.fields].map(([name, below]) => [name, fill(below, inner[name])]);
    return { ...inner, ...Object.fromEntries(known) };
  };
  return fill(treeOf(names), data) as Data;
}

/** Without the texts that nobody filled in, and without what is empty for that. */
export function filledIn(data: Data): Data {
  return (keep(data) ?? {}) as Data;
}

function keep(value: unknown): unknown {
  if (value === UNFILLED) return undefined;
  if (Array.isArray(value)) {
    const entries = (value as unknown[]).map(keep).filter((entry) => entry !== undefined);
    return value.length > 0 && entries.length === 0 ? undefined : entries;
  }
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([name, inner]) => [name, keep(inner)] as const);
  const kept = entries.filter(([, inner]) => inner !== undefined);
  return entries.length > 0 && kept.length === 0 ? undefined : Object.fromEntries(kept);
}

/** A copy with another value at this place; undefined: without it. */
export function withValue(data: Data, path: Path, value: unknown): Data {
  return put(data, path, value) as Data;
}

function put(inside: unknown, [step, ...path]: Path, value: unknown): unknown {
  if (step === undefined) return value;
  if (typeof step === 'number') {
    const entries = Array.isArray(inside) ? [...(inside as unknown[])] : [];
    const next = put(entries[step], path, value);
    if (next === undefined) entries.splice(step, 1);
    else entries[step] = next;
    return entries;
  }
  const { [step]: old, ...others } = isObject(inside) ? inside : {};
  const next = put(old, path, value);
  if (next === undefined) return others;
  // The fields keep their order.
  return isObject(inside) && step in inside ? { ...inside, [step]: next } : { ...others, [step]: next };
}

/** `order.lines 2 sku`: entries are counted from one. */
export const nameOf = (path: Path): string =>
  path.reduce<string>((name, step) => {
    if (typeof step === 'number') return `${name} ${step + 1}`;
    return name === '' ? step : /\d$/.test(name) && name.includes(' ') ? `${name} ${step}` : `${name}.${step}`;
  }, '');

/** What somebody types in a row of a kind; undefined: nothing. */
export function valueOf(typed: string, kind: Kind): unknown {
  if (kind === 'text') return typed;
  if (typed === '') return undefined;
  return kind === 'yesNo' ? typed === 'true' : Number(typed);
}
