import type { ProjectSettings } from '@carillon/client';
import { useState } from 'react';
import { useAuthors } from '../../../api/authors';
import { seenOf, useEdit } from '../../../api/edit';
import { Confirm } from '../../../form/confirm';
import { text } from '../../../text/text';
import { readPlace, removePlace } from './place';
import type { Place } from './place';

interface Props {
  place: Place;
  kind: string;
  stored: ProjectSettings;
  onClose: () => void;
}

/** Deletes a project without applications, or an application without events. The service names what is left. */
export function RemovePlace({ place, kind, stored, onClose }: Props) {
  const { org, prj, app } = place;
  const words = text.settings.projects;
  const [seen] = useState(() => seenOf(stored));
  const remove = useEdit({
    seen: () => seen,
    read: () => readPlace(place),
    write: (_: void, headers) => removePlace(place, headers),
    authors: useAuthors(
      org,
      app === undefined ? 'project' : 'application',
      [prj, app].filter((slug) => slug !== undefined).join('/'),
    ),
    reads: ['/api/o/{org}/p/', '/api/o/{org}/p/{prj}/a/'],
    onDone: onClose,
    onReload: onClose,
  });
  return (
    <Confirm
      title={words.removeTitle(kind, stored.name)}
      action={text.person.delete}
      word={stored.name}
      onClose={onClose}
      onConfirm={() => remove.mutate()}
      isPending={remove.isPending}
      error={remove.error}
    >
      {app === undefined ? words.removeProject : words.removeApplication}
    </Confirm>
  );
}
