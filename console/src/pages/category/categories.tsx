import { getRouteApi } from '@tanstack/react-router';
import { useCan } from '../../api/session';
import { ProjectPage } from '../../components/project-page';
import { text } from '../../text/text';
import { CategoryDialog } from './category-dialog';
import { ProjectCategories } from './project-categories';
import './category.css';

const route = getRouteApi('/o/$org/categories');

/** What users can choose or refuse. */
export function Categories() {
  const { org } = route.useParams();
  const navigate = route.useNavigate();
  const can = useCan();
  return (
    <ProjectPage
      org={org}
      at={route.useSearch()}
      onFilter={(search, options) => void navigate({ search, ...options })}
      title={text.pages.categories}
      words={text.category}
      mayCreate={can('event:write', 'project')}
      Section={ProjectCategories}
      Dialog={CategoryDialog}
    />
  );
}
