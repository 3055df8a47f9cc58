import type { Category } from '@carillon/client';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useProjects } from '../../api/projects';
import { useList } from '../../api/read';
import { useCan } from '../../api/session';
import { Badge } from '../../part/badge';
import { CopyCurl } from '../../part/curl';
import { Empty } from '../../part/empty';
import { filtered } from '../../part/filtered';
import { LiveSign } from '../../part/live-sign';
import { Problem } from '../../part/problem';
import { ProjectPick } from '../../part/project-pick';
import { SearchBox } from '../../part/search-box';
import { Table } from '../../part/table';
import { text } from '../../text/text';
import { CategoryActions } from './category-actions';
import { CategoryDialog } from './category-dialog';
import './category.css';

const route = getRouteApi('/o/$org/categories');
const TONES = { on: 'good', off: 'idle', required: 'accent' } as const;

/** What people can choose or refuse. */
export function Categories() {
  const { org } = route.useParams();
  const { project: chosen, search } = route.useSearch();
  const navigate = route.useNavigate();
  const can = useCan();
  const [isCreating, setCreating] = useState(false);
  const { projects, project, error, refetch } = useProjects(org, chosen);
  const prj = project ?? '-';
  const categories = useList(
    '/api/o/{org}/p/{prj}/categories/',
    { path: { org, prj }, query: { limit: 200 } },
    { enabled: project !== undefined, poll: true },
  );
  const mayWrite = can('event:write', 'project');
  const create = project && mayWrite && (
    <button className="button primary" onClick={() => setCreating(true)}>
      {text.category.create}
    </button>
  );
  const example = { slug: 'news', name: 'News and offers', default: 'on' };
  return (
    <div className="page">
      <div className="head">
        <h1>{text.pages.categories}</h1>
        <LiveSign state={categories.error ? 'lost' : 'polled'} />
        {project && <CopyCurl call={{ path: `/api/o/${org}/p/${prj}/categories/` }} />}
        {create}
      </div>
      <p className="soft">{text.category.intro}</p>
      {error && <Problem error={error} again={() => void refetch()} />}
      <div className="filters">
        <SearchBox
          label={text.category.search}
          className="input wide"
          value={search}
          onSearch={(words) => void navigate({ search: { project: chosen, search: words }, replace: true })}
        />
        <ProjectPick
          projects={projects}
          project={project}
          onPick={(picked) => void navigate({ search: { project: picked } })}
        />
      </div>
      {projects?.length === 0 ? (
        <Empty title={text.projectPick.none}>{text.projectPick.noneHint}</Empty>
      ) : (
        <Table
          label={text.pages.categories}
          list={filtered(categories, search, ({ slug, name, description }) => `${slug} ${name} ${description}`)}
          keyOf={({ slug }) => slug}
          columns={columnsOf(org, prj, mayWrite)}
          empty={
            search ? (
              <Empty title={text.category.notFound(search)} />
            ) : (
              <Empty
                title={text.category.none(prj)}
                action={create}
                call={{ method: 'POST', path: `/api/o/${org}/p/${prj}/categories/`, body: example }}
              >
                {text.category.noneHint}
              </Empty>
            )
          }
        />
      )}
      {isCreating && <CategoryDialog org={org} project={prj} onClose={() => setCreating(false)} />}
    </div>
  );
}

const columnsOf = (org: string, project: string, mayWrite: boolean) => [
  {
    name: text.category.name,
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
