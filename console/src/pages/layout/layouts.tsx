import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useProjects } from '../../api/projects';
import { useCan, useSession } from '../../api/session';
import { MoreMenu } from '../../components/more-menu';
import { Problem } from '../../components/problem';
import { ProjectPick } from '../../form/project-pick';
import { SearchBox } from '../../form/search-box';
import { text } from '../../text/text';
import { CreateFragment } from './create-fragment';
import { OwnerFragments } from './owner-fragments';
import './layout.css';

const route = getRouteApi('/o/$org/layouts');

/** The layouts and partials of the organization and of its projects. */
export function Layouts() {
  const { org } = route.useParams();
  const { project, search } = route.useSearch();
  const navigate = route.useNavigate();
  const can = useCan();
  const isOfProject = useSession()?.project !== null;
  const [isCreating, setCreating] = useState(false);
  const { projects, shown, error, refetch } = useProjects(org, project);
  return (
    <div className="page medium">
      <div className="head">
        <h1>{text.pages.layouts}</h1>
        <MoreMenu live={error ? 'lost' : 'polled'} />
        {can('notification:write', 'project') && (
          <button className="button primary" onClick={() => setCreating(true)}>
            {text.layout.create}
          </button>
        )}
      </div>
      <p className="soft">{text.layout.intro}</p>
      {error && <Problem error={error} again={() => void refetch()} />}
      <div className="filters">
        <SearchBox
          label={text.layout.search}
          className="input wide"
          value={search}
          onSearch={(typed) => void navigate({ search: { project, search: typed }, replace: true })}
        />
        <ProjectPick
          org={org}
          projects={projects}
          shown={shown}
          onPick={(picked) => void navigate({ search: { project: picked, search } })}
        />
      </div>
      {!project && <OwnerFragments org={org} prj={null} search={search} />}
      {shown?.map((prj) => (
        <OwnerFragments key={prj} org={org} prj={prj} search={search} />
      ))}
      {isCreating && (
        <CreateFragment
          org={org}
          projects={projects ?? []}
          isOfProject={isOfProject}
          onClose={() => setCreating(false)}
        />
      )}
    </div>
  );
}
