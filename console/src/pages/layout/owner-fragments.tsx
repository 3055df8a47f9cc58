import type { Fragment } from '@carillon/client';
import { Link } from '@tanstack/react-router';
import { useCan } from '../../api/session';
import { Badge } from '../../components/badge';
import { CopyCurl } from '../../components/curl';
import { filtered } from '../../components/filtered';
import { Table } from '../../components/table';
import { useProjectNames } from '../../api/names';
import { text } from '../../text/text';
import { BUILT_IN_LAYOUT } from '../rule/layout-choice';
import { MOST_USES, curlPath, useFragments, useUses } from './calls';
import { linkTo } from './place';
import type { FragmentKind, FragmentPlace } from './place';

interface Row extends Fragment {
  kind: FragmentKind;
  isBuiltIn?: boolean;
}

const BUILT_IN: Row = { kind: 'layout', slug: BUILT_IN_LAYOUT, html: '-', text: '-', mjml: null, isBuiltIn: true };

/** The layouts and partials of the organization, or of one project. */
export function OwnerFragments({ org, prj, search }: { org: string; prj: string | null; search: string | undefined }) {
  const layouts = useFragments({ org, prj, kind: 'layout' });
  const partials = useFragments({ org, prj, kind: 'partial' });
  const stored = layouts.items?.map((one): Row => ({ ...one, kind: 'layout' }));
  const hasOwn = stored?.some(({ slug }) => slug === BUILT_IN_LAYOUT);
  const items = stored &&
    partials.items && [
      ...(prj === null && !hasOwn ? [BUILT_IN] : []),
      ...stored,
      ...partials.items.map((one): Row => ({ ...one, kind: 'partial' })),
    ];
  const list = {
    ...layouts,
    items,
    error: layouts.error ?? partials.error,
    hasNextPage: layouts.hasNextPage || partials.hasNextPage,
    fetchNextPage: () => {
      for (const one of [layouts, partials]) if (one.hasNextPage) void one.fetchNextPage();
    },
  };
  const nameOf = useProjectNames(org);
  const title = prj === null ? text.layout.ofOrganization : text.projectPick.project(nameOf(prj));
  return (
    <section className="stack" aria-label={title}>
      <div className="row">
        <h2>{title}</h2>
        <CopyCurl call={{ path: curlPath({ org, prj, kind: 'layout', slug: '' }) }} />
      </div>
      <Table
        label={`${text.pages.layouts}, ${title}`}
        list={filtered(list, search, ({ slug }) => slug)}
        keyOf={({ kind, slug }) => `${kind}/${slug}`}
        columns={columnsOf(org, prj)}
        empty={<p className="soft">{search ? text.layout.notFound(search) : text.layout.noneShort}</p>}
      />
    </section>
  );
}

const columnsOf = (org: string, prj: string | null) => [
  {
    name: text.layout.slug,
    kind: 'main' as const,
    cell: ({ kind, slug, isBuiltIn }: Row) => (
      <span>
        <Link {...linkTo({ org, prj, kind, slug })} search={{}}>
          {slug}
        </Link>{' '}
        {isBuiltIn && <span className="soft">{text.layout.builtIn}</span>}
      </span>
    ),
  },
  {
    name: text.layout.kind,
    kind: 'narrow' as const,
    cell: ({ kind }: Row) => <Badge tone={kind === 'layout' ? 'accent' : 'idle'}>{text.layout.kinds[kind]}</Badge>,
  },
  {
    name: text.layout.parts,
    kind: 'narrow' as const,
    cell: ({ html, mjml, text: plain }: Row) =>
      [html && text.rule.parts.html, mjml && text.rule.parts.mjml, plain && text.rule.parts.text]
        .filter(Boolean)
        .join(', '),
  },
  {
    name: text.layout.usedBy,
    kind: 'narrow' as const,
    cell: ({ kind, slug }: Row) => <UseCount place={{ org, prj, kind, slug }} />,
  },
];

function UseCount({ place }: { place: FragmentPlace }) {
  const mayRead = useCan()('notification:read', place.prj === null ? 'organization' : 'project');
  const { items } = useUses(place, mayRead);
  if (!mayRead) return null;
  if (!items) return <span className="skeleton" />;
  return items.length === 0 ? (
    <span className="soft">{text.layout.unused}</span>
  ) : (
    text.layout.uses(items.length, items.length === MOST_USES)
  );
}
