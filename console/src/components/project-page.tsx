import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { useProjectNames } from '../api/names';
import { useProjects } from '../api/projects';
import { useCan } from '../api/session';
import { ProjectPick } from '../form/project-pick';
import { SearchBox } from '../form/search-box';
import { text } from '../text/text';
import { CopyCurl } from './curl';
import { Empty } from './empty';
import { MoreMenu } from './more-menu';
import { Problem } from './problem';

/** What one project shows of a page. */
export interface SectionProps {
  org: string;
  project: string;
  search: string | undefined;
  /** Whether the page shows no other project: then an empty one says what to do next. */
  isOnly: boolean;
  create: ReactNode;
}

interface DialogProps {
  org: string;
  projects: string[];
  onClose: () => void;
}

/** Not an interface: the router takes only types that it can index. */
type Search = { project: string | undefined; search: string | undefined };

interface ProjectPageProps {
  org: string;
  at: Partial<Search>;
  onFilter: (search: Search, options?: { replace: boolean }) => void;
  title: string;
  words: { intro: string; search: string; create: string };
  mayCreate: boolean;
  Section: (props: SectionProps) => ReactNode;
  Dialog: (props: DialogProps) => ReactNode;
}

/** A page of things that belong to projects: a search, a choice of project, and a section for each project. */
export function ProjectPage({ org, at, onFilter, title, words, mayCreate, Section, Dialog }: ProjectPageProps) {
  const { project, search } = at;
  const [isCreating, setCreating] = useState(false);
  const can = useCan();
  const { projects, shown, error, refetch } = useProjects(org, project);
  const create = shown && shown.length > 0 && mayCreate && (
    <button className="button primary" onClick={() => setCreating(true)}>
      {words.create}
    </button>
  );
  return (
    <div className="page medium">
      <div className="head">
        <h1>{title}</h1>
        <MoreMenu live={error ? 'lost' : 'polled'} />
        {create}
      </div>
      <p className="soft">{words.intro}</p>
      {error && <Problem error={error} again={() => void refetch()} />}
      <div className="filters">
        <SearchBox
          label={words.search}
          className="input wide"
          value={search}
          onSearch={(typed) => onFilter({ project, search: typed }, { replace: true })}
        />
        <ProjectPick
          org={org}
          projects={projects}
          shown={shown}
          onPick={(picked) => onFilter({ project: picked, search })}
        />
      </div>
      {shown?.length === 0 && (
        <Empty title={text.projectPick.none} action={can('event:list') && <ToEvents org={org} />}>
          {text.projectPick.noneHint}
        </Empty>
      )}
      {shown?.map((prj) => (
        <Section key={prj} org={org} project={prj} search={search} isOnly={shown.length === 1} create={create} />
      ))}
      {isCreating && shown && (
        <Dialog org={org} projects={project ? [project] : (projects ?? shown)} onClose={() => setCreating(false)} />
      )}
    </div>
  );
}

/** Projects are created there. */
function ToEvents({ org }: { org: string }) {
  return (
    <Link to="/o/$org/events" params={{ org }} search={{}} className="button primary">
      {text.projectPick.toEvents}
    </Link>
  );
}

interface ProjectSectionProps {
  about: SectionProps;
  path: string;
  words: {
    notFound: (search: string) => string;
    none: (project: string) => string;
    noneHint: string;
    noneShort: string;
  };
  /** The table; it gets what to show when it is empty. */
  children: (empty: ReactNode) => ReactNode;
}

/** The section of one project. */
export function ProjectSection({ about, path, words, children }: ProjectSectionProps) {
  const { org, project, search, isOnly, create } = about;
  const name = useProjectNames(org)(project);
  const empty = search ? (
    <p className="soft">{words.notFound(search)}</p>
  ) : isOnly ? (
    <Empty title={words.none(name)} action={create}>
      {words.noneHint}
    </Empty>
  ) : (
    <p className="soft">{words.noneShort}</p>
  );
  return (
    <section className="stack" aria-label={text.projectPick.project(name)}>
      <div className="row">
        <h2>{text.projectPick.project(name)}</h2>
        <CopyCurl call={{ path }} />
      </div>
      {children(empty)}
    </section>
  );
}
