import type { DistributionList } from '@carillon/client';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useList } from '../../api/read';
import { CopyCurl } from '../../part/curl';
import { Empty } from '../../part/empty';
import { filtered } from '../../part/filtered';
import { Table } from '../../part/table';
import { text } from '../../text/text';

interface Props {
  org: string;
  project: string;
  search: string | undefined;
  /** Whether the page shows no other project: then an empty one says what to do next. */
  isOnly: boolean;
  create: ReactNode;
}

/** The lists of one project. */
export function ProjectLists({ org, project, search, isOnly, create }: Props) {
  const path = { org, prj: project };
  const lists = useList('/api/o/{org}/p/{prj}/d/', { path, query: { limit: 200 } }, { poll: true });
  const at = `/api/o/${org}/p/${project}/d/`;
  const empty = search ? (
    <p className="soft">{text.list.notFound(search)}</p>
  ) : isOnly ? (
    <Empty title={text.list.none(project)} action={create} call={{ method: 'POST', path: at, body: { name: 'Staff' } }}>
      {text.list.noneHint}
    </Empty>
  ) : (
    <p className="soft">{text.list.noneShort}</p>
  );
  return (
    <section className="stack" aria-label={text.projectPick.project(project)}>
      <div className="row">
        <h2>{text.projectPick.project(project)}</h2>
        <CopyCurl call={{ path: at }} />
      </div>
      <Table
        label={`${text.pages.lists}, ${project}`}
        list={filtered(lists, search, ({ name }) => name)}
        keyOf={({ id }) => id}
        columns={columnsOf(org, project)}
        empty={empty}
      />
    </section>
  );
}

const columnsOf = (org: string, prj: string) => [
  {
    name: text.list.name,
    kind: 'main' as const,
    cell: ({ id, name }: DistributionList) => (
      <Link to="/o/$org/lists/$prj/$list" params={{ org, prj, list: String(id) }} search={{}}>
        {name}
      </Link>
    ),
  },
  { name: text.list.id, kind: 'number' as const, cell: ({ id }: DistributionList) => id },
];
