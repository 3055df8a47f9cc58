import type { Fragment } from '@carillon/client';
import { useNavigate } from '@tanstack/react-router';
import { useAuthors } from '../../api/authors';
import { seenOf, useEdit } from '../../api/edit';
import { Confirm } from '../../form/confirm';
import { text } from '../../text/text';
import { FRAGMENT_READS, readFragment, removeFragment, useUses } from './calls';
import { UseList } from './fragment-uses';
import { auditName } from './place';
import type { FragmentPlace } from './place';

/** Asks before it is deleted, and says what uses it. */
export function RemoveFragment({
  place,
  saved,
  onClose,
}: {
  place: FragmentPlace;
  saved: Fragment;
  onClose: () => void;
}) {
  const navigate = useNavigate();
  const { items: uses = [] } = useUses(place);
  const back = () => navigate({ to: '/o/$org/layouts', params: { org: place.org }, search: {}, ignoreBlocker: true });
  const remove = useEdit({
    seen: () => seenOf(saved),
    read: () => readFragment(place),
    write: async (_: void, headers) => {
      await removeFragment(place, headers);
      // Not after the reads: this page would read what is gone.
      await back();
    },
    authors: useAuthors(place.org, place.kind, auditName(place)),
    reads: FRAGMENT_READS,
    onReload: onClose,
  });
  return (
    <Confirm
      title={text.layout.deleteTitle(text.layout.kinds[place.kind], place.slug)}
      action={text.layout.delete}
      onClose={onClose}
      onConfirm={() => remove.mutate()}
      isPending={remove.isPending}
      error={remove.error}
    >
      {uses.length === 0 ? text.layout.deleteHint : text.layout.deleteUsed}
      {uses.length > 0 && <UseList org={place.org} uses={uses} />}
    </Confirm>
  );
}
