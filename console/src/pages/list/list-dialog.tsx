import type { DistributionList } from '@carillon/client';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { carillon } from '../../api/carillon';
import { useWrite } from '../../api/write';
import { Field } from '../../form/field';
import { FormDialog } from '../../form/form-dialog';
import { ProjectField } from '../../form/project-field';
import { text } from '../../text/text';

interface Props {
  org: string;
  /** Where it can be created, or where it is. */
  projects: string[];
  /** None: a new one. */
  list?: DistributionList;
  onClose: () => void;
}

export function ListDialog({ org, projects, list, onClose }: Props) {
  const [project, setProject] = useState(projects[0]!);
  const navigate = useNavigate();
  const [name, setName] = useState(list?.name ?? '');
  const path = { org, prj: project };
  const save = useWrite(
    () =>
      list
        ? carillon.patch('/api/o/{org}/p/{prj}/d/{pk}/', { path: { ...path, pk: list.id }, body: { name } })
        : carillon.post('/api/o/{org}/p/{prj}/d/', { path, body: { name } }),
    '/api/o/{org}/p/{prj}/d/',
    '/api/o/{org}/p/{prj}/d/{pk}/',
  );
  const submit = () =>
    save.mutate(undefined, {
      onSuccess: ({ id }) => {
        onClose();
        const params = { org, prj: project, list: String(id) };
        if (!list) void navigate({ to: '/o/$org/lists/$prj/$list', params, search: {} });
      },
    });
  return (
    <FormDialog
      title={list ? text.list.rename : text.list.create}
      action={list ? text.confirm.save : text.list.create}
      onClose={onClose}
      onSubmit={submit}
      isPending={save.isPending}
      error={save.error}
    >
      {!list && <ProjectField projects={projects} project={project} onChange={setProject} />}
      <Field label={text.list.name} hint={text.list.nameHint} error={save.error} name="name">
        <input className="input" required autoFocus value={name} onChange={(event) => setName(event.target.value)} />
      </Field>
    </FormDialog>
  );
}
