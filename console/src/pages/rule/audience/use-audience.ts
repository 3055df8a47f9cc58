import { ProblemError } from '@carillon/client';
import type { PreviewedAudience } from '@carillon/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { carillon } from '../../../api/carillon';
import { useCan } from '../../../api/session';
import { useSettled } from '../preview/use-settled';
import type { Kind } from '../rows/comparison';
import type { KnownField } from '../rows/known-field';
import { OWN_FIELDS, shownName } from './row';
import type { Filter } from './row';

const PREVIEW = '/api/o/{org}/audience/preview/';

/** Who is in an audience, once nobody types any more. Undefined data: not known yet, or the session may not read users. */
export function useAudience(org: string, audience: Filter | null) {
  const isAllowed = useCan()('user:read');
  const settled = useSettled(JSON.stringify(audience));
  return useQuery({
    queryKey: [PREVIEW, org, settled],
    queryFn: ({ signal }) => {
      const body = { audience: JSON.parse(settled) as Record<string, unknown> | null };
      return carillon.post(PREVIEW, { path: { org }, body, signal });
    },
    enabled: isAllowed,
    placeholderData: keepPreviousData,
    retry: (failures, error) => !(error instanceof ProblemError) && failures < 2,
  });
}

const KINDS: Readonly<Record<PreviewedAudience['custom_fields'][number]['types'][number], Kind>> = {
  ...{ string: 'text', number: 'number' },
  ...{ boolean: 'boolean', list: 'list' },
};

/** What every user has, and the custom fields that some have. */
export const audienceFields = (known: PreviewedAudience | undefined): KnownField[] => [
  ...OWN_FIELDS,
  ...(known?.custom_fields ?? []).map(({ name, types, examples }) => ({
    name: shownName(`custom_fields.${name}`),
    kinds: types.map((type) => KINDS[type]),
    isNumeric: typeof examples[0] === 'number',
    samples: examples.map(String),
  })),
];
