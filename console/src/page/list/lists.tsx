import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useProjects } from '../../api/projects';
import { useCan } from '../../api/session';
import { Empty } from '../../part/empty';
import { LiveSign } from '../../part/live-sign';
import { Problem } from '../../part/problem';
import { ProjectPick } from '../../form/project-pick';
import { SearchBox } from '../../form/search-box';
import { text } from '../../text/text';
import { ListDialog } from './list-dialog';
import { ProjectLists } from './project-lists';

const route = getRouteApi('/o/$org/lists');

export function Lists() {
  const { org } = route.useParams();
  const { project, search } = route.useSearch();
  const navigate = route.useNavigate();
  const can = useCan();
  const [isCreating, setCreating] = useState(false);
  const { projects, shown, error, refetch } = useProjects(org, project);
  const create = shown && shown.length > 0 && can('distributionlist:write') && (
    <button className="button primary" onClick={() => setCreating(true)}>
      {text.list.create}
    </button>
  );
  return (
    <div className="page">
      <div className="head">
        <h1>{text.pages.lists}</h1>
        <LiveSign state={error ? 'lost' : 'polled'} />
        {create}
      </div>
      <p className="soft">{text.list.intro}</p>
      {error && <Problem error={error} again={() => void refetch()} />}
      <div className="filters">
        <SearchBox
          label={text.list.search}
          className="input wide"
          value={search}
          onSearch={(words) => void navigate({ search: { project, search: words }, replace: true })}
        />
        <ProjectPick
          projects={projects}
          shown={shown}
          onPick={(picked) => void navigate({ search: { project: picked, search } })}
        />
      </div>
      {shown?.length === 0 && <Empty title={text.projectPick.none}>{text.projectPick.noneHint}</Empty>}
      {shown?.map((prj) => (
        <ProjectLists key={prj} org={org} project={prj} search={search} isOnly={shown.length === 1} create={create} />
      ))}
      {isCreating && shown && (
        <ListDialog org={org} projects={project ? [project] : (projects ?? shown)} onClose={() => setCreating(false)} />
      )}
    </div>
  );
}
