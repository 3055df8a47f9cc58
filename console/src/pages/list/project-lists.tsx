import type { DistributionList } from '@carillon/client';
import { Link } from '@tanstack/react-router';
import { useProjectNames } from '../../api/names';
import { useList } from '../../api/read';
import { filtered } from '../../components/filtered';
import { ProjectSection } from '../../components/project-page';
import type { SectionProps } from '../../components/project-page';
import { Table } from '../../components/table';
import { text } from '../../text/text';

/** The lists of one project. */
export function ProjectLists(about: SectionProps) {
  const { org, project, search } = about;
  const name = useProjectNames(org)(project);
  const path = { org, prj: project };
  const lists = useList('/api/o/{org}/p/{prj}/d/', { path, query: { limit: 200 } }, { poll: true });
  const at = `/api/o/${org}/p/${project}/d/`;
  return (
    <ProjectSection about={about} path={at} words={text.list}>
      {(empty) => (
        <Table
          label={`${text.pages.lists}, ${name}`}
          list={filtered(lists, search, ({ name }) => name)}
          keyOf={({ id }) => id}
          columns={columnsOf(org, project)}
          empty={empty}
        />
      )}
    </ProjectSection>
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
