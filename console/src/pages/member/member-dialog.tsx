import type { OrganizationMember, PutOrganizationMember } from '@carillon/client';
import { useState } from 'react';
import { carillon } from '../../api/carillon';
import { useProjectNames } from '../../api/names';
import { useProjects } from '../../api/projects';
import { useRoles } from '../../api/roles';
import { useSession } from '../../api/session';
import { useWrite } from '../../api/write';
import { Field } from '../../form/field';
import { FormDialog } from '../../form/form-dialog';
import { text } from '../../text/text';
import { RoleChoice, choiceOf } from '../key/role-choice';

interface Props {
  org: string;
  /** Left out: somebody is added. */
  member?: OrganizationMember;
  onClose: () => void;
  onAdded: (member: OrganizationMember) => void;
}

/** Adds a member, or changes what one may do and where. */
export function MemberDialog({ org, member, onClose, onAdded }: Props) {
  const bound = useSession()?.project ?? null;
  const roles = useRoles() ?? [];
  const [email, setEmail] = useState(member?.email ?? '');
  const [name, setName] = useState(member?.name ?? '');
  const [role, setRole] = useState<string | null>(member?.role ?? null);
  const [project, setProject] = useState(member?.project ?? bound);
  const put = useWrite(() => {
    const body = { name: name.trim() || null, role, project } as PutOrganizationMember;
    return carillon.put('/api/o/{org}/members/{memberEmail}/', { path: { org, memberEmail: email.trim() }, body });
  }, '/api/o/{org}/members/');
  return (
    <FormDialog
      title={member ? text.member.changeTitle(member.name ?? member.email) : text.member.add}
      action={member ? text.member.save : text.member.add}
      onClose={onClose}
      onSubmit={() => put.mutate(undefined, { onSuccess: (saved) => (member ? onClose() : onAdded(saved)) })}
      isPending={put.isPending}
      error={put.error}
    >
      {!member && (
        <Field label={text.member.email} hint={text.member.emailHint} error={put.error} name="memberEmail">
          <input
            className="input"
            type="email"
            required
            autoFocus
            autoComplete="off"
            value={email}
            onChange={({ target }) => setEmail(target.value)}
          />
        </Field>
      )}
      <Field label={text.member.name} hint={text.member.nameHint} error={put.error} name="name">
        <input
          className="input"
          autoFocus={Boolean(member)}
          autoComplete="off"
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
      </Field>
      <RoleChoice
        legend={text.member.role}
        choices={roles.map((each) => choiceOf(each.name))}
        chosen={role}
        onChoose={setRole}
      />
      {bound === null && <ProjectOfRole org={org} project={project} error={put.error} onChange={setProject} />}
    </FormDialog>
  );
}

interface ProjectProps {
  org: string;
  project: string | null;
  error: Error | null;
  onChange: (project: string | null) => void;
}

function ProjectOfRole({ org, project, error, onChange }: ProjectProps) {
  const { projects = [] } = useProjects(org);
  const nameOf = useProjectNames(org);
  return (
    <Field label={text.member.reach} error={error} name="project">
      <select className="input" value={project ?? ''} onChange={({ target }) => onChange(target.value || null)}>
        <option value="">{text.key.wholeOrganization}</option>
        {projects.map((slug) => (
          <option key={slug} value={slug}>
            {text.projectPick.project(nameOf(slug))}
          </option>
        ))}
      </select>
    </Field>
  );
}
