export type FragmentKind = 'layout' | 'partial';

/** Where a layout or a partial is. */
export interface FragmentPlace {
  org: string;
  /** Null: it belongs to the organization. */
  prj: string | null;
  kind: FragmentKind;
  slug: string;
}

/** A project in a URL of the console: `-` is the organization itself. */
export const OF_ORGANIZATION = '-';

export const linkTo = ({ org, prj, kind, slug }: FragmentPlace) =>
  ({
    to: '/o/$org/layouts/$prj/$kind/$slug',
    params: { org, prj: prj ?? OF_ORGANIZATION, kind, slug },
  }) as const;

/** The name of it in the audit log. */
export const auditName = ({ prj, slug }: FragmentPlace) => (prj === null ? slug : `${prj}/${slug}`);
