import type { StatusWebhook } from '@carillon/client';
import { useState } from 'react';
import { carillon } from '../../../api/carillon';
import { seenOf, useEdit } from '../../../api/edit';
import type { Author } from '../../../api/edit';
import { Confirm } from '../../../form/confirm';
import { text } from '../../../text/text';
import type { Place } from './place';

const WEBHOOK = '/api/o/{org}/p/{prj}/a/{app}/status-webhook/';
const words = text.settings.projects.webhook;

interface Props {
  place: Required<Place>;
  /** Of the application. */
  name: string;
  stored: StatusWebhook;
  authors: () => Promise<Author[]>;
  onBack: () => void;
  onClose: () => void;
}

export function RemoveWebhook({ place, name, stored, authors, onBack, onClose }: Props) {
  const path = { ...place };
  const [seen] = useState(() => seenOf(stored));
  const remove = useEdit({
    seen: () => seen,
    read: () => carillon.get(WEBHOOK, { path }),
    write: (_: void, headers) => carillon.delete(WEBHOOK, { path, headers }),
    authors,
    reads: [WEBHOOK],
    onDone: onClose,
    onReload: onClose,
  });
  return (
    <Confirm
      title={words.removeTitle(name)}
      action={words.remove}
      onClose={onBack}
      onConfirm={() => remove.mutate()}
      isPending={remove.isPending}
      error={remove.error}
    >
      {words.removeEffect}
    </Confirm>
  );
}
