import { getRouteApi } from '@tanstack/react-router';
import { useCan } from '../../api/session';
import { ProjectPage } from '../../components/project-page';
import { text } from '../../text/text';
import { ListDialog } from './list-dialog';
import { ProjectLists } from './project-lists';

const route = getRouteApi('/o/$org/lists');

export function Lists() {
  const { org } = route.useParams();
  const navigate = route.useNavigate();
  const can = useCan();
  return (
    <ProjectPage
      org={org}
      at={route.useSearch()}
      onFilter={(search, options) => void navigate({ search, ...options })}
      title={text.pages.lists}
      words={text.list}
      mayCreate={can('distributionlist:write')}
      Section={ProjectLists}
      Dialog={ListDialog}
    />
  );
}
