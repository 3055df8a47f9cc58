/**
 * The recipients of a notification: a filter over an organization's users.
 *
 *     { "all": [ { "field": "custom_fields.team", "is": "ops" },
 *                { "any": [ { "field": "email", "ends_with": "@acme.test" }, { "address": "phone" } ] },
 *                { "not": { "field": "first_name", "in": ["Ann"] } } ] }
 *
 * - `all`: every filter of the list matches; `any`: at least one matches; `not`: the filter does not match.
 * - `field`: `email` (case-insensitive), `first_name`, `last_name`, or `custom_fields.` and a path of keys with dots between.
 * - `address`: the user has an address of this kind; with an operator, an address whose value matches.
 * - Operators, one per filter: `is`, `in`, `starts_with`, `ends_with`, `contains`, `exists`; on custom fields also
 *   `gt`, `gte`, `lt`, `lte` for numbers. `contains` looks for a part of a text, or for an item of a list in a custom field.
 *   `exists` is true or false: there is a value that is not null and, for a name, not empty.
 *
 * A filter on a value that a user does not have does not match, so its `not` matches.
 */
export type Audience =
  | { all: Audience[] }
  | { any: Audience[] }
  | { not: Audience }
  | ({ field: string } & Condition)
  | ({ address: string } & Condition);

type Scalar = string | number | boolean;

export interface Condition {
  is?: Scalar;
  in?: Scalar[];
  exists?: boolean;
  contains?: Scalar;
  starts_with?: string;
  ends_with?: string;
  gt?: number;
  gte?: number;
  lt?: number;
  lte?: number;
}

/** An SQL condition on the users table `u`. It is true or false, never null. */
interface AudienceSql {
  sql: string;
  values: unknown[];
}

/**
 * Compiles an audience that passed `checkAudience`. Its parameters start at `$firstParameter`. `eachAlone`: addresses are looked up for one user after
 * the other. Otherwise PostgreSQL may read those of all organizations for a part of the users.
 */
export function compileAudience(audience: Audience, firstParameter: number, { eachAlone = false } = {}): AudienceSql {
  const values: unknown[] = [];
  const parameter = (value: unknown): string => `$${firstParameter + values.push(value) - 1}`;
  return { sql: unpackedOnce(compile(audience, { parameter, end: eachAlone ? ' offset 0' : '' })), values };
}

/**
 * PostgreSQL would decompress the custom fields for each use of them. `offset 0` keeps it from merging the queries.
 */
const unpackedOnce = (condition: string) =>
  condition.includes(FIELDS)
    ? `(select ${condition} from (select u.custom_fields #> '{}' custom_fields offset 0) f)`
    : condition;

const FIELDS = 'f.custom_fields';

type Parameter = (value: unknown) => string;

interface Context {
  parameter: Parameter;
  /** Of a query for an address. */
  end: string;
}

function compile(audience: Audience, context: Context): string {
  const { parameter } = context;
  if ('all' in audience) return `(${audience.all.map((part) => compile(part, context)).join(' and ')})`;
  if ('any' in audience) return `(${audience.any.map((part) => compile(part, context)).join(' or ')})`;
  if ('not' in audience) return `(not ${compile(audience.not, context)})`;
  if ('address' in audience) return compileAddress(audience.address, audience, context);
  const path = audience.field.split('.');
  // With SQL's null, `not` would be null too and would lose users.
  if (path[0] === 'custom_fields') return `((${onCustomField(path.slice(1), audience, parameter)}) is true)`;
  if (audience.field === 'email') return onText('u.email_key', lowered(audience), parameter);
  if (audience.field === 'first_name' || audience.field === 'last_name') {
    return onText(`u.${audience.field}`, audience, parameter);
  }
  throw new Error(`unknown field ${audience.field}`);
}

function compileAddress(kind: string, condition: Condition, { parameter, end }: Context): string {
  const found = `select 1 from addresses a where a.user_id = u.id and a.name = ${parameter(kind)}::text`;
  if (condition.exists !== undefined) return `(${condition.exists ? '' : 'not '}exists (${found}${end}))`;
  const named = Object.keys(condition).length > 1;
  return `(exists (${found}${named ? ` and ${onText('a.value', condition, parameter)}` : ''}${end}))`;
}

function onText(column: string, condition: Condition, parameter: Parameter): string {
  const { is, in: any, exists, contains, starts_with: start, ends_with: end } = condition;
  if (is !== undefined) return `(${column} = ${parameter(is)}::text)`;
  if (any !== undefined) return `(${column} = any(${parameter(any)}::text[]))`;
  if (exists !== undefined) return `(${column} ${exists ? '<>' : '='} '')`;
  return `(${column} like ${parameter(pattern(contains as string | undefined, start, end))}::text)`;
}

function onCustomField(path: string[], condition: Condition, parameter: Parameter): string {
  const keys = `${parameter(path)}::text[]`;
  const value = `(${FIELDS} #> ${keys})`;
  const json = (item: unknown): string => `${parameter(JSON.stringify(item))}::text::jsonb`;
  const { is, in: any, exists, contains, starts_with: start, ends_with: end } = condition;
  if (is !== undefined) return `${value} = ${json(is)}`;
  if (any !== undefined)
    return `${value} = any(${parameter(any.map((item) => JSON.stringify(item)))}::text[]::jsonb[])`;
  if (exists !== undefined) return `coalesce(${value}, 'null') ${exists ? '<>' : '='} 'null'`;
  const text = (like: string): string => `when 'string' then ${FIELDS} #>> ${keys} like ${parameter(like)}::text`;
  const byKind = (...cases: string[]) => `case jsonb_typeof(${value}) ${cases.join(' ')} end`;
  if (contains !== undefined) {
    const inList = `when 'array' then ${value} @> ${json([contains])}`;
    return byKind(inList, ...(typeof contains === 'string' ? [text(pattern(contains))] : []));
  }
  if (start !== undefined || end !== undefined) return byKind(text(pattern(undefined, start, end)));
  return onNumber(value, condition, json);
}

const COMPARISONS = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;

// jsonb compares numbers as numbers, without a cast that could fail.
function onNumber(value: string, condition: Condition, json: (item: unknown) => string): string {
  for (const [name, operator] of Object.entries(COMPARISONS)) {
    const limit = condition[name as keyof typeof COMPARISONS];
    if (limit !== undefined) return `jsonb_typeof(${value}) = 'number' and ${value} ${operator} ${json(limit)}`;
  }
  throw new Error('a filter without an operator');
}

/** A LIKE pattern in which wildcards of the text are escaped. */
function pattern(contains?: string, start?: string, end?: string): string {
  const escaped = (text: string): string => text.replace(/[\\%_]/g, '\\$&');
  if (start !== undefined) return `${escaped(start)}%`;
  return end === undefined ? `%${escaped(contains ?? '')}%` : `%${escaped(end)}`;
}

/** E-mail addresses are stored in lower case, so that the search ignores case. */
function lowered(condition: Condition): Condition {
  const lower = (value: unknown): unknown => (typeof value === 'string' ? value.toLowerCase() : value);
  return Object.fromEntries(
    Object.entries(condition).map(([name, value]) => [name, Array.isArray(value) ? value.map(lower) : lower(value)]),
  );
}
