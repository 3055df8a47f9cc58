import type { DistributionList, Member } from '@carillon/client';
import { useState } from 'react';
import { carillon } from '../../api/carillon';
import { useWrite } from '../../api/write';
import { Confirm } from '../../form/confirm';
import { text } from '../../text/text';
import { MemberDialog } from './member-dialog';

const MEMBER = '/api/o/{org}/p/{prj}/d/{pk}/m/{member}/';
const MEMBERS = '/api/o/{org}/p/{prj}/d/{pk}/m/';

interface Props {
  org: string;
  project: string;
  list: DistributionList;
  member: Member;
}

export function MemberActions({ org, project, list, member }: Props) {
  const [dialog, setDialog] = useState<'change' | 'remove' | null>(null);
  const path = { org, prj: project, pk: list.id, member: member.id };
  const remove = useWrite(() => carillon.delete(MEMBER, { path }), MEMBERS);
  const close = () => setDialog(null);
  return (
    <span className="row tight">
      <button className="button small" onClick={() => setDialog('change')}>
        {text.list.change}
        <span className="hidden"> {member.user}</span>
      </button>
      <button className="button small" onClick={() => setDialog('remove')}>
        {text.list.remove}
        <span className="hidden"> {member.user}</span>
      </button>
      {dialog === 'change' && <MemberDialog path={path} member={member} onClose={close} />}
      {dialog === 'remove' && (
        <Confirm
          title={text.list.removeTitle(member.user, list.name)}
          action={text.list.remove}
          onClose={close}
          onConfirm={() => remove.mutate(undefined, { onSuccess: close })}
          isPending={remove.isPending}
          error={remove.error}
        >
          {text.list.removeHint}
        </Confirm>
      )}
    </span>
  );
}
