import type { OrganizationMember } from '@carillon/client';
import { carillon } from '../../api/carillon';
import { useWrite } from '../../api/write';
import { Confirm } from '../../form/confirm';
import { text } from '../../text/text';

interface Props {
  org: string;
  member: OrganizationMember;
  onClose: () => void;
}

export function RemoveMember({ org, member: { email, name }, onClose }: Props) {
  const remove = useWrite(
    () => carillon.delete('/api/o/{org}/members/{memberEmail}/', { path: { org, memberEmail: email } }),
    '/api/o/{org}/members/',
    '/api/o/{org}/session/',
  );
  return (
    <Confirm
      title={text.member.removeTitle(name ?? email)}
      action={text.member.actions.remove}
      onClose={onClose}
      onConfirm={() => remove.mutate(undefined, { onSuccess: onClose })}
      isPending={remove.isPending}
      error={remove.error}
    >
      {text.member.removeHint}
    </Confirm>
  );
}
