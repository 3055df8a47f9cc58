import type { DistributionList } from '@carillon/client';
import { Link, getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { carillon } from '../../api/carillon';
import { queryClient } from '../../api/query-client';
import { keyOf, useRead } from '../../api/read';
import { useCan } from '../../api/session';
import { useWrite } from '../../api/write';
import { Confirm } from '../../form/confirm';
import { CopyCurl } from '../../components/curl';
import { Forbidden } from '../../components/forbidden';
import { Problem } from '../../components/problem';
import { Rows } from '../../components/skeleton';
import { useProjectNames } from '../../api/names';
import { text } from '../../text/text';
import { EditList } from './list-dialog';
import { Members } from './members';

const LIST = '/api/o/{org}/p/{prj}/d/{pk}/';
const route = getRouteApi('/o/$org/lists/$prj/$list');

export function List() {
  const { org, prj, list } = route.useParams();
  const can = useCan();
  const { data, error, refetch } = useRead(LIST, { path: { org, prj, pk: Number(list) } }, { poll: true });
  if (!data)
    return (
      <div className="page medium">
        <h1>{text.pages.lists}</h1>
        {error ? <Problem error={error} again={() => void refetch()} /> : <Rows count={8} />}
      </div>
    );
  return (
    <div className="page medium">
      <Head org={org} project={prj} list={data} />
      {can('user:read') ? (
        <Members org={org} project={prj} list={data} />
      ) : (
        <Forbidden what={text.forbidden.members} permission="user:read" />
      )}
    </div>
  );
}

function Head({ org, project, list }: { org: string; project: string; list: DistributionList }) {
  const can = useCan();
  const nameOf = useProjectNames(org);
  const [dialog, setDialog] = useState<'edit' | 'delete' | null>(null);
  const close = () => setDialog(null);
  return (
    <div className="head">
      <div className="title">
        <span className="soft">
          <Link to="/o/$org/lists" params={{ org }} search={{ project }}>
            {text.pages.lists}
          </Link>{' '}
          / {nameOf(project)}
        </span>
        <h1>{list.name}</h1>
      </div>
      <CopyCurl call={{ path: `/api/o/${org}/p/${project}/d/${list.id}/` }} />
      {can('distributionlist:write', 'project') && (
        <>
          <button className="button" onClick={() => setDialog('edit')}>
            {text.list.edit}
          </button>
          <button className="button danger" onClick={() => setDialog('delete')}>
            {text.list.delete}
          </button>
        </>
      )}
      {dialog === 'edit' && <EditList org={org} projects={[project]} list={list.id} onClose={close} />}
      {dialog === 'delete' && <DeleteList org={org} project={project} list={list} onClose={close} />}
    </div>
  );
}

interface DeleteProps {
  org: string;
  project: string;
  list: DistributionList;
  onClose: () => void;
}

function DeleteList({ org, project: prj, list, onClose }: DeleteProps) {
  const navigate = route.useNavigate();
  const input = { path: { org, prj, pk: list.id } };
  const remove = useWrite(() => carillon.delete(LIST, input), '/api/o/{org}/p/{prj}/d/');
  const confirm = () =>
    remove.mutate(undefined, {
      onSuccess: async () => {
        await navigate({ to: '/o/$org/lists', params: { org }, search: { project: prj } });
        queryClient.removeQueries({ queryKey: keyOf(LIST, input) });
      },
    });
  return (
    <Confirm
      title={text.list.deleteTitle(list.name)}
      action={text.list.delete}
      word={list.name}
      onClose={onClose}
      onConfirm={confirm}
      isPending={remove.isPending}
      error={remove.error}
    >
      {text.list.deleteHint}
    </Confirm>
  );
}
