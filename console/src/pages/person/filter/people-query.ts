import type { PreviewedAudience } from '@carillon/client';

/** The filters of the page, as they stand in its address. */
export interface PeopleFilters {
  search?: string;
  /** A custom field, and what it holds. */
  field?: string;
  is?: string;
  /** The id of a distribution list. */
  list?: string;
  locale?: string;
  /** A kind of address that users have; with a minus before it: that they do not have. */
  address?: string;
  order?: string;
}

type CustomField = PreviewedAudience['custom_fields'][number];

export const ORDERS = ['desc', 'email'] as const;

/** What the service is asked: a filter of custom fields and addresses is an audience. */
export function queryOf({ search, list, locale, order, ...about }: PeopleFilters, known: readonly CustomField[]) {
  const parts = [...fieldPart(about, known), ...addressPart(about)];
  return {
    ...{ search, locale },
    list: list === undefined ? undefined : Number(list),
    audience: parts.length === 0 ? undefined : parts.length === 1 ? parts[0]! : { all: parts },
    order: ORDERS.find((each) => each === order),
  };
}

function fieldPart({ field, is }: PeopleFilters, known: readonly CustomField[]): Record<string, unknown>[] {
  if (!field) return [];
  const name = `custom_fields.${field}`;
  if (!is) return [{ field: name, exists: true }];
  const { types = [] } = known.find((each) => each.name === field) ?? {};
  const is_ = { field: name, is };
  const others = [
    ...(types.includes('number') && Number.isFinite(Number(is)) ? [{ field: name, is: Number(is) }] : []),
    ...(types.includes('boolean') && /^(true|false)$/.test(is) ? [{ field: name, is: is === 'true' }] : []),
    ...(types.includes('list') ? [{ field: name, contains: is }] : []),
  ];
  // What is typed may be a text, a number or an item of a list: whichever of these users have.
  return [others.length === 0 ? is_ : { any: [is_, ...others] }];
}

function addressPart({ address }: PeopleFilters): Record<string, unknown>[] {
  if (!address) return [];
  return address.startsWith('-') ? [{ not: { address: address.slice(1) } }] : [{ address }];
}
