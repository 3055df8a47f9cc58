import type { DistributionListSettings } from '@carillon/client';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { carillon } from '../../api/carillon';
import { useRead } from '../../api/read';
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
  list?: DistributionListSettings & { id: number };
  onClose: () => void;
}

/** Reads the settings of a list, and then shows them. */
export function EditList({ list, ...props }: Omit<Props, 'list'> & { list: number }) {
  const path = { org: props.org, prj: props.projects[0]!, pk: list };
  const { data } = useRead('/api/o/{org}/p/{prj}/d/{pk}/settings/', { path });
  return data ? <ListDialog {...props} list={{ ...data, id: list }} /> : null;
}

export function ListDialog({ org, projects, list, onClose }: Props) {
  const [project, setProject] = useState(projects[0]!);
  const navigate = useNavigate();
  const [name, setName] = useState(list?.name ?? '');
  const [open, setOpen] = useState(list?.open ?? false);
  const [description, setDescription] = useState(list?.description ?? '');
  const body = { name, open, description };
  const path = { org, prj: project };
  const save = useWrite(
    () =>
      list
        ? carillon.patch('/api/o/{org}/p/{prj}/d/{pk}/', { path: { ...path, pk: list.id }, body })
        : carillon.post('/api/o/{org}/p/{prj}/d/', { path, body }),
    '/api/o/{org}/p/{prj}/d/',
    '/api/o/{org}/p/{prj}/d/{pk}/',
    '/api/o/{org}/p/{prj}/d/{pk}/settings/',
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
      title={list ? text.list.edit : text.list.create}
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
      <label className="check">
        <input type="checkbox" checked={open} onChange={() => setOpen(!open)} />
        {text.list.open}
      </label>
      {open && (
        <Field label={text.list.description} hint={text.list.descriptionHint} error={save.error} name="description">
          <input className="input" value={description} onChange={(event) => setDescription(event.target.value)} />
        </Field>
      )}
    </FormDialog>
  );
}
