import type { ProjectSettings } from '@carillon/client';
import { useState } from 'react';
import { useAuthors } from '../../../api/authors';
import { seenOf, useEdit } from '../../../api/edit';
import { Field } from '../../../form/field';
import { FormDialog } from '../../../form/form-dialog';
import { text } from '../../../text/text';
import { PLACE_READS, readPlace, renamePlace } from './place';
import type { Place } from './place';

interface Props {
  place: Place;
  kind: string;
  stored: ProjectSettings;
  onClose: () => void;
}

export function RenamePlace({ place, kind, stored, onClose }: Props) {
  const { org, prj, app } = place;
  const [name, setName] = useState(stored.name);
  const [seen] = useState(() => seenOf(stored));
  const save = useEdit({
    seen: () => seen,
    read: () => readPlace(place),
    write: (_: void, headers) => renamePlace(place, { name }, headers),
    authors: useAuthors(
      org,
      app === undefined ? 'project' : 'application',
      [prj, app].filter((slug) => slug !== undefined).join('/'),
    ),
    reads: PLACE_READS,
    onDone: onClose,
    onReload: onClose,
  });
  return (
    <FormDialog
      title={text.settings.projects.renameTitle(kind, stored.name)}
      action={text.confirm.save}
      onClose={onClose}
      onSubmit={() => save.mutate()}
      isPending={save.isPending}
      error={save.error}
    >
      <Field label={text.event.name} error={save.error} name="name">
        <input className="input" value={name} required autoFocus onChange={(event) => setName(event.target.value)} />
      </Field>
    </FormDialog>
  );
}
