import type { Category } from '@carillon/client';
import type { ReactNode } from 'react';
import { useList } from '../../api/read';
import { useCan } from '../../api/session';
import { Badge } from '../../part/badge';
import { CopyCurl } from '../../part/curl';
import { Empty } from '../../part/empty';
import { filtered } from '../../part/filtered';
import { Table } from '../../part/table';
import { text } from '../../text/text';
import { CategoryActions } from './category-actions';

interface Props {
  org: string;
  project: string;
  search: string | undefined;
  /** Whether the page shows no other project: then an empty one says what to do next. */
  isOnly: boolean;
  create: ReactNode;
}

const TONES = { on: 'good', off: 'idle', required: 'accent' } as const;
const EXAMPLE = { slug: 'news', name: 'News and offers', default: 'on' };

/** The categories of one project. */
export function ProjectCategories({ org, project, search, isOnly, create }: Props) {
  const can = useCan();
  const path = { org, prj: project };
  const categories = useList('/api/o/{org}/p/{prj}/categories/', { path, query: { limit: 200 } }, { poll: true });
  const at = `/api/o/${org}/p/${project}/categories/`;
  const empty = search ? (
    <p className="soft">{text.category.notFound(search)}</p>
  ) : isOnly ? (
    <Empty title={text.category.none(project)} action={create} call={{ method: 'POST', path: at, body: EXAMPLE }}>
      {text.category.noneHint}
    </Empty>
  ) : (
    <p className="soft">{text.category.noneShort}</p>
  );
  return (
    <section className="stack" aria-label={text.projectPick.project(project)}>
      <div className="row">
        <h2>{text.projectPick.project(project)}</h2>
        <CopyCurl call={{ path: at }} />
      </div>
      <Table
        label={`${text.pages.categories}, ${project}`}
        list={filtered(categories, search, ({ slug, name, description }) => `${slug} ${name} ${description}`)}
        keyOf={({ slug }) => slug}
        columns={columnsOf(org, project, can('event:write', 'project'))}
        empty={empty}
      />
    </section>
  );
}

const columnsOf = (org: string, project: string, mayWrite: boolean) => [
  {
    name: text.category.name,
    kind: 'main' as const,
    cell: ({ name, slug, description }: Category) => (
      <div className="category-name">
        <span>
          {name} <code className="soft">{slug}</code>
        </span>
        {description && <span className="soft">{description}</span>}
      </div>
    ),
  },
  {
    name: text.category.default,
    kind: 'narrow' as const,
    cell: (category: Category) => (
      <Badge tone={TONES[category.default]}>{text.category.defaults[category.default]}</Badge>
    ),
  },
  {
    name: text.category.differs,
    cell: ({ channels }: Category) =>
      Object.entries(channels)
        .map(([type, choice]) => text.category.channel(type, choice))
        .join(', '),
  },
  ...(mayWrite
    ? [
        {
          name: '',
          kind: 'narrow' as const,
          cell: (category: Category) => <CategoryActions org={org} project={project} category={category} />,
        },
      ]
    : []),
];
