import type { Category } from '@carillon/client';
import { useProjectNames } from '../../api/names';
import { useList } from '../../api/read';
import { useCan } from '../../api/session';
import { Badge } from '../../components/badge';
import { filtered } from '../../components/filtered';
import { ProjectSection } from '../../components/project-page';
import type { SectionProps } from '../../components/project-page';
import { Table } from '../../components/table';
import { text } from '../../text/text';
import { CategoryActions } from './category-actions';

const TONES = { on: 'good', off: 'idle', required: 'accent' } as const;
/** The categories of one project. */
export function ProjectCategories(about: SectionProps) {
  const { org, project, search } = about;
  const can = useCan();
  const name = useProjectNames(org)(project);
  const path = { org, prj: project };
  const categories = useList('/api/o/{org}/p/{prj}/categories/', { path, query: { limit: 200 } }, { poll: true });
  const at = `/api/o/${org}/p/${project}/categories/`;
  return (
    <ProjectSection about={about} path={at} words={text.category}>
      {(empty) => (
        <Table
          label={`${text.pages.categories}, ${name}`}
          list={filtered(categories, search, ({ slug, name, description }) => `${slug} ${name} ${description}`)}
          keyOf={({ slug }) => slug}
          columns={columnsOf(org, project, can('event:write', 'project'))}
          empty={empty}
        />
      )}
    </ProjectSection>
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
