import { useState } from 'react';
import { useProjectNames } from '../../../api/names';
import { useProjects } from '../../../api/projects';
import { useRead } from '../../../api/read';
import { useCan, useSession } from '../../../api/session';
import { Problem } from '../../../components/problem';
import { text } from '../../../text/text';
import { CreatePlace } from '../../event/tree/create-place';
import type { Wanted } from '../../event/tree/create-place';
import { PlaceRow } from './place-row';

/** With more than these, a project is read once it is opened. */
const OPEN = 5;
const words = text.settings.projects;

/** The names of projects and applications, and where applications receive the outcomes of their messages. */
export function Projects({ org }: { org: string }) {
  const { projects, error, refetch } = useProjects(org);
  const mayCreate = useCan()('organization:write', 'organization');
  const [wanted, setWanted] = useState<Wanted | null>(null);
  return (
    <section className="card stack" aria-label={words.title}>
      <div>
        <h2>{words.title}</h2>
        <p className="soft">{words.hint}</p>
      </div>
      {error && <Problem error={error} again={() => void refetch()} />}
      {projects?.map((prj) => (
        <Project key={prj} {...{ org, prj }} isOpenFirst={projects.length <= OPEN} create={setWanted} />
      ))}
      {projects?.length === 0 && <p>{words.none}</p>}
      {mayCreate && (
        <div className="row">
          <button className="button" aria-haspopup="dialog" onClick={() => setWanted({})}>
            {text.event.newProject}
          </button>
        </div>
      )}
      {wanted && <CreatePlace org={org} wanted={wanted} onClose={() => setWanted(null)} />}
    </section>
  );
}

interface ProjectProps {
  org: string;
  prj: string;
  isOpenFirst: boolean;
  create: (wanted: Wanted) => void;
}

function Project({ org, prj, isOpenFirst, create }: ProjectProps) {
  const [isOpen, setOpen] = useState(isOpenFirst);
  const nameOf = useProjectNames(org);
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{text.projectPick.project(nameOf(prj))}</summary>
      {isOpen && <Parts {...{ org, prj, create }} />}
    </details>
  );
}

function Parts({ org, prj, create }: Omit<ProjectProps, 'isOpenFirst'>) {
  const own = useSession()?.application;
  const mayCreate = useCan()('organization:write', 'project');
  const input = { path: { org, prj }, query: { limit: 1000 } };
  const { data, error, refetch } = useRead('/api/o/{org}/p/{prj}/a/', input, { enabled: !own });
  const applications = own ? [own] : data?.map(({ slug }) => slug);
  const nameOf = useProjectNames(org);
  return (
    <>
      <PlaceRow place={{ org, prj }} />
      {error && <Problem error={error} again={() => void refetch()} />}
      {applications?.map((app) => (
        <PlaceRow key={app} place={{ org, prj, app }} />
      ))}
      {mayCreate && (
        <div className="settings-place application">
          <button className="button small" aria-haspopup="dialog" onClick={() => create({ prj })}>
            {text.event.newApplication}
            <span className="hidden"> {nameOf(prj)}</span>
          </button>
        </div>
      )}
    </>
  );
}
