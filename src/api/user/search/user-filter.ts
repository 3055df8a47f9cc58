import { Prisma } from '../../../platform/database/generated/prisma/client.js';
import { fieldError } from '../../../platform/field/error/field-error.js';
import type { FieldError } from '../../../platform/field/error/field-error.js';
import { positiveInt } from '../../../platform/field/positive-int.js';
import { LOCALE_MAX_LENGTH, readLocale } from '../../../platform/field/region/locale.js';
import { oneOf } from '../../../platform/http/list/filter.js';
import { checkAudience } from '../../../rules/condition/audience-check.js';
import { compileAudience } from '../../../rules/condition/audience.js';
import type { Audience } from '../../../rules/condition/audience.js';
import { MAX_SEARCH_LENGTH, containsAll, searchProblem } from './user-search.js';

/** Which users a list shows; null: whatever it is. */
export interface UserFilter {
  search: string | null;
  /** As JSON. */
  audience: string | null;
  /** The id of a distribution list. */
  list: string | null;
  locale: string | null;
}

/** And in which order; null: by their ids. */
export type UserListFilter = UserFilter & { order: (typeof USER_ORDERS)[number] | null };

export const isFiltered = (filter: UserListFilter) => Object.values(filter).some((value) => value !== null);

const USER_ORDERS = ['desc', 'email'] as const;

export const USER_FILTERS = {
  search: searchProblem,
  audience: audienceProblem,
  list: (text: string) =>
    positiveInt(text) === null ? fieldError('invalid_format', 'must be the id of a list') : null,
  locale: (text: string) => {
    const read = readLocale(text);
    return 'problem' in read ? fieldError('invalid_format', read.problem) : null;
  },
  order: oneOf(USER_ORDERS),
};

/** Their descriptions in the contract. */
export const USER_FILTER_TEXTS = {
  search: {
    description:
      'Only users who have each of these words in the e-mail, the first name, the last name, or an address. Upper and lower case are the same. Those for whom each word starts one of these come first, unless there is another filter or an order.',
    schema: { type: 'string', minLength: 1, maxLength: MAX_SEARCH_LENGTH },
  },
  audience: {
    description: 'Only users in this audience: a filter as notifications have it, as JSON.',
    schema: { type: 'string' },
    example: '{"field":"custom_fields.team","is":"ops"}',
  },
  list: { description: 'Only members of the distribution list with this id.', schema: { type: 'integer' } },
  locale: {
    description: 'Only users with this locale of their own. A language, such as `de`, includes its regions.',
    schema: { type: 'string', maxLength: LOCALE_MAX_LENGTH },
  },
  order: {
    description: '`desc`: the newest first. `email`: by the e-mail.',
    schema: { type: 'string', enum: [...USER_ORDERS] },
  },
} as const;

function audienceProblem(text: string): FieldError | null {
  try {
    const [problem] = checkAudience(JSON.parse(text));
    return problem === undefined ? null : fieldError('invalid_format', problem.replace(/^audience:? ?/, ''));
  } catch {
    return fieldError('invalid_format', 'must be JSON');
  }
}

/** The condition on a user `u`; null: all users. */
export function conditionOf(organizationId: number, { search, audience, list, locale }: UserFilter): Prisma.Sql | null {
  const conditions = [
    search === null ? null : containsAll(search),
    audience === null ? null : audienceSql(JSON.parse(audience) as Audience),
    list === null
      ? null
      : Prisma.sql`exists (select from members m where m.list_id = ${Number(list)} and m.user_id = u.id
                               and m.organization_id = ${organizationId} offset 0)`,
    locale === null
      ? null
      : Prisma.sql`(lower(u.locale) = lower(${locale}) or lower(u.locale) like lower(${`${locale}-%`}::text))`,
  ].filter((condition) => condition !== null);
  return conditions.length === 0 ? null : Prisma.join(conditions, ' and ');
}

/** A compiled audience has numbered parameters, and uses some of them twice. */
function audienceSql(audience: Audience): Prisma.Sql {
  const { sql, values } = compileAudience(audience, 1, { eachAlone: true });
  const numbers = [...sql.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number));
  return new Prisma.Sql(
    sql.split(/\$\d+/),
    numbers.map((number) => values[number - 1]),
  );
}
