import type { DistributionList } from '@carillon/client';
import { Link, getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useProjects } from '../../api/projects';
import { useList } from '../../api/read';
import { useCan } from '../../api/session';
import { CopyCurl } from '../../part/curl';
import { Empty } from '../../part/empty';
import { filtered } from '../../part/filtered';
import { LiveSign } from '../../part/live-sign';
import { Problem } from '../../part/problem';
import { ProjectPick } from '../../part/project-pick';
import { SearchBox } from '../../part/search-box';
import { Table } from '../../part/table';
import { text } from '../../text/text';
import { ListDialog } from './list-dialog';

const route = getRouteApi('/o/$org/lists');

export function Lists() {
  const { org } = route.useParams();
  const { project: chosen, search } = route.useSearch();
  const navigate = route.useNavigate();
  const can = useCan();
  const [isCreating, setCreating] = useState(false);
  const { projects, project, error, refetch } = useProjects(org, chosen);
  const prj = project ?? '-';
  const lists = useList(
    '/api/o/{org}/p/{prj}/d/',
    { path: { org, prj }, query: { limit: 200 } },
    { enabled: project !== undefined, poll: true },
  );
  const create = project && can('distributionlist:write') && (
    <button className="button primary" onClick={() => setCreating(true)}>
      {text.list.create}
    </button>
  );
  return (
    <div className="page">
      <div className="head">
        <h1>{text.pages.lists}</h1>
        <LiveSign state={lists.error ? 'lost' : 'polled'} />
        {project && <CopyCurl call={{ path: `/api/o/${org}/p/${prj}/d/` }} />}
        {create}
      </div>
      {error && <Problem error={error} again={() => void refetch()} />}
      <div className="filters">
        <SearchBox
          label={text.list.search}
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
          label={text.pages.lists}
          list={filtered(lists, search, ({ name }) => name)}
          keyOf={({ id }) => id}
          columns={columnsOf(org, prj)}
          empty={<NoLists org={org} project={prj} search={search} create={create} />}
        />
      )}
      {isCreating && <ListDialog org={org} project={prj} onClose={() => setCreating(false)} />}
    </div>
  );
}

const columnsOf = (org: string, prj: string) => [
  {
    name: text.list.name,
    cell: ({ id, name }: DistributionList) => (
      <Link to="/o/$org/lists/$prj/$list" params={{ org, prj, list: String(id) }} search={{}}>
        {name}
      </Link>
    ),
  },
  { name: text.list.project, kind: 'narrow' as const, cell: () => prj },
  { name: text.list.id, kind: 'number' as const, cell: ({ id }: DistributionList) => id },
];

interface NoListsProps {
  org: string;
  project: string;
  search: string | undefined;
  create: React.ReactNode;
}

function NoLists({ org, project, search, create }: NoListsProps) {
  if (search) return <Empty title={text.list.notFound(search)} />;
  const call = { method: 'POST' as const, path: `/api/o/${org}/p/${project}/d/`, body: { name: 'Staff' } };
  return (
    <Empty title={text.list.none(project)} action={create} call={call}>
      {text.list.noneHint}
    </Empty>
  );
}
