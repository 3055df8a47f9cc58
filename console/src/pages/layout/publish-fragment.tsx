import type { Fragment } from '@carillon/client';
import { useAuthors } from '../../api/authors';
import { useEdit } from '../../api/edit';
import type { Seen } from '../../api/mergeable';
import { Compare } from '../../compare/compare';
import { FormDialog } from '../../form/form-dialog';
import { text } from '../../text/text';
import { FRAGMENT_READS, putFragment, readFragment, useUses } from './calls';
import { PARTS, draftOf } from './fragment-draft';
import type { FragmentDraft } from './fragment-draft';
import { UseList } from './fragment-uses';
import { auditName } from './place';
import type { FragmentPlace } from './place';

interface Props {
  place: FragmentPlace;
  saved: Fragment;
  draft: FragmentDraft;
  /** The version that the edits began with. */
  seen: Seen<Fragment>;
  isNew: boolean;
  onClose: () => void;
  onDone: () => void;
  onReload: () => void;
}

/** Which notifications change, and what changes line by line; then it is in force. */
export function PublishFragment({ place, saved, draft, seen, isNew, onClose, onDone, onReload }: Props) {
  const { items: uses } = useUses(place);
  const write = useEdit({
    seen: () => seen,
    read: () => readFragment(place),
    fields: () => ({ html: draft.html || null, mjml: draft.mjml || null, text: draft.text || null }),
    isPut: true,
    write: (_: void, headers, body) => putFragment(place, body, isNew ? {} : headers),
    authors: useAuthors(place.org, place.kind, auditName(place)),
    reads: FRAGMENT_READS,
    onDone,
    onReload,
  });
  const before = isNew ? { html: '', mjml: '', text: '' } : draftOf(saved);
  const changed = PARTS.filter((part) => before[part] !== draft[part]);
  const count = new Set(uses?.map(({ notification }) => notification)).size;
  return (
    <FormDialog
      title={text.rule.publish.title(place.slug)}
      action={text.rule.publish.action}
      wide
      onClose={onClose}
      onSubmit={() => write.mutate()}
      isPending={write.isPending}
      error={write.error}
    >
      <p>{count === 0 ? text.layout.touchesNone : text.layout.touches(count)}</p>
      {uses && uses.length > 0 && <UseList org={place.org} uses={uses} />}
      {changed.map((part) => (
        <Compare key={part} label={text.rule.parts[part]} before={before[part]} after={draft[part]} />
      ))}
    </FormDialog>
  );
}
