import { Suspense, lazy } from 'react';
import { useSession } from '../../api/session';
import { lazily } from '../../components/lazily';
import type { Wanted } from '../../pages/event/tree/create-place';
import { Help } from '../help';
import { StopDialog } from '../stop/stop-dialog';

/** A dialog that an action of the palette opens, on whatever page one is. */
export type Opened =
  | { kind: 'user' | 'channel' | 'stop' | 'help' }
  | { kind: 'place'; wanted: Wanted }
  | { kind: 'list' | 'category' | 'layout'; projects: string[] };

// They belong to their pages: the first page does not wait for them.
const PersonDialog = lazily(() => import('../../pages/person/person-dialog'), 'PersonDialog');
const CreateChannel = lazily(() => import('../../pages/channel/create-channel'), 'CreateChannel');
const CreatePlace = lazily(() => import('../../pages/event/tree/create-place'), 'CreatePlace');
// It is typed in two ways, for a new list and for one that is changed.
const ListDialog = lazy(async () => ({ default: (await import('../../pages/list/list-dialog')).ListDialog }));
const CategoryDialog = lazily(() => import('../../pages/category/category-dialog'), 'CategoryDialog');
const CreateFragment = lazily(() => import('../../pages/layout/create-fragment'), 'CreateFragment');

export function OpenedDialog({ org, opened, close }: { org: string; opened: Opened; close: () => void }) {
  return (
    <Suspense>
      <Chosen org={org} opened={opened} onClose={close} />
    </Suspense>
  );
}

function Chosen({ org, opened, onClose }: { org: string; opened: Opened; onClose: () => void }) {
  const isOfProject = Boolean(useSession()?.project);
  switch (opened.kind) {
    case 'user':
      return <PersonDialog org={org} onClose={onClose} />;
    case 'channel':
      return <CreateChannel org={org} onClose={onClose} />;
    case 'stop':
      return <StopDialog org={org} close={onClose} />;
    case 'help':
      return <Help onClose={onClose} />;
    case 'place':
      return <CreatePlace org={org} wanted={opened.wanted} onClose={onClose} />;
    case 'list':
      return <ListDialog org={org} projects={opened.projects} onClose={onClose} />;
    case 'category':
      return <CategoryDialog org={org} projects={opened.projects} onClose={onClose} />;
    case 'layout':
      return <CreateFragment org={org} projects={opened.projects} isOfProject={isOfProject} onClose={onClose} />;
  }
}
