import type { DistributionListSettings } from '@carillon/client';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useAuthorsNamed } from '../../api/authors';
import { carillon } from '../../api/carillon';
import { seenOf, useEdit } from '../../api/edit';
import type { Seen } from '../../api/mergeable';
import { useRead } from '../../api/read';
import { Field } from '../../form/field';
import { FormDialog } from '../../form/form-dialog';
import { ProjectField } from '../../form/project-field';
import { text } from '../../text/text';

const LISTS = '/api/o/{org}/p/{prj}/d/';
const LIST = `${LISTS}{pk}/` as const;
const SETTINGS = `${LIST}settings/` as const;

interface Props {
  org: string;
  /** Where it can be created, or where it is. */
  projects: string[];
  /** None: a new one. */
  list?: DistributionListSettings & { id: number };
  seen?: Seen<Partial<DistributionListSettings>>;
  onClose: () => void;
}

/** Reads the settings of a list, and then shows them. */
export function EditList({ list, ...props }: Omit<Props, 'list' | 'seen'> & { list: number }) {
  const path = { org: props.org, prj: props.projects[0]!, pk: list };
  const { data } = useRead(SETTINGS, { path });
  return data ? <ListDialog {...props} list={{ ...data, id: list }} seen={seenOf(data)} /> : null;
}

export function ListDialog({ org, projects, list, seen: given, onClose }: Props) {
  const [project, setProject] = useState(projects[0]!);
  const navigate = useNavigate();
  const [name, setName] = useState(list?.name ?? '');
  const [open, setOpen] = useState(list?.open ?? false);
  const [description, setDescription] = useState(list?.description ?? '');
  const [seen] = useState(() => given ?? seenOf<Partial<DistributionListSettings>>({}));
  const authorsOf = useAuthorsNamed(org, 'distribution list');
  const path = { org, prj: project, pk: list?.id ?? 0 };
  const fields = { name, open, description };
  const save = useEdit({
    seen: () => seen,
    read: (): Promise<Partial<DistributionListSettings>> => carillon.get(SETTINGS, { path }),
    fields: () => fields,
    write: (_: void, headers, body): Promise<{ id: number }> =>
      list
        ? carillon.patch(LIST, { path, headers, body })
        : carillon.post(LISTS, { path: { org, prj: project }, body: fields }),
    authors: (now) => authorsOf(`${project}/${now?.name ?? list?.name ?? ''}`),
    reads: [LISTS, LIST, SETTINGS],
    onDone: ({ id }) => {
      onClose();
      const params = { org, prj: project, list: String(id) };
      if (!list) void navigate({ to: '/o/$org/lists/$prj/$list', params, search: {} });
    },
    onReload: onClose,
  });
  return (
    <FormDialog
      title={list ? text.list.edit : text.list.create}
      action={list ? text.confirm.save : text.list.create}
      onClose={onClose}
      onSubmit={() => save.mutate()}
      isPending={save.isPending}
      error={save.error}
    >
      {!list && <ProjectField org={org} projects={projects} project={project} onChange={setProject} />}
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
