import type { CreateNotification } from '@carillon/client';
import { useNavigate } from '@tanstack/react-router';
import { carillon } from '../../api/carillon';
import { useEdit } from '../../api/edit';
import { useEventNames } from '../../api/names';
import { Compare } from '../../compare/compare';
import { FormDialog } from '../../form/form-dialog';
import { text } from '../../text/text';
import { useChannelNames } from '../channel/use-channels';
import type { EventPlace } from '../event/place';
import { REVISIONS, authorsOf } from './authors-of';
import type { Draft } from './draft/draft';
import { Faulty } from './faulty';
import { RULE_SHAPE } from './shape';
import { bodyOf, changedParts, isNewRule, partsOf } from './parts';
import type { RuleContent } from './parts';
import { Unreached } from './step/unreached';
import type { DraftCheck } from './use-draft-check';

const RULES = '/api/o/{org}/p/{prj}/a/{app}/e/{evt}/n/';
const RULE = `${RULES}{notification}/` as const;

const SCHEMA = '/api/o/{org}/p/{prj}/a/{app}/e/{evt}/schema/';

interface Props {
  place: EventPlace;
  /** `new`, `new-2`: it does not exist yet. */
  id: string;
  draft: Draft;
  unreached: DraftCheck['unreached'];
  onClose: () => void;
  onPublished: () => void;
}

/** What changes, in a sentence and line by line; then it is in force. */
export function Publish({ place, id, draft, unreached, onClose, onPublished }: Props) {
  const navigate = useNavigate();
  const nameOf = useChannelNames(place.org, place.prj);
  const { event } = useEventNames(place.org, { project: place.prj, application: place.app, event: place.evt });
  const isNew = isNewRule(id);
  const base = isNew ? null : draft.base;
  const names = changedParts(base, draft.content, nameOf);
  const [before, after] = [partsOf(base, nameOf), partsOf(draft.content, nameOf)];
  const { faulty } = draft;
  const path = { ...place, notification: Number(id) };
  const write = useEdit({
    seen: () => ({ thing: draft.base, etag: draft.etag }),
    read: (): Promise<RuleContent> => carillon.get(RULE, { path }),
    fields: () => draft.content,
    shape: RULE_SHAPE,
    // Only what was edited: what others have published meanwhile stays.
    write: (_: void, headers, body) => {
      if (isNew)
        return carillon.post(RULES, { path: { ...place }, body: bodyOf(null, draft.content) as CreateNotification });
      return carillon.patch(RULE, { path, headers, body });
    },
    authors: () => authorsOf(place, Number(id), nameOf),
    partsOf: (rule) => partsOf(rule, nameOf),
    reads: [RULES, RULE, SCHEMA, REVISIONS],
    onDone: finish,
    onReload: () => {
      draft.discard();
      onClose();
    },
  });
  function finish(published: { id: number }) {
    draft.discard();
    onPublished();
    if (isNew)
      void navigate({
        to: '/o/$org/events/$prj/$app/$evt',
        params: { ...place },
        search: { rule: String(published.id) },
        replace: true,
        ignoreBlocker: true,
      });
  }
  return (
    <FormDialog
      title={text.rule.publish.title(draft.content.name)}
      action={text.rule.publish.action}
      wide
      onClose={onClose}
      onSubmit={() => faulty.length === 0 && write.mutate()}
      isPending={write.isPending}
      error={write.error}
    >
      <p>{isNew ? text.rule.publish.isNew(event) : text.rule.publish.changes(names.join(', '), event)}</p>
      {draft.isOutdated && <p className="note warn">{text.rule.publish.outdated}</p>}
      <Faulty draft={draft} />
      <Unreached warnings={unreached} />
      {names.map((name) => (
        <Compare key={name} label={name} before={before[name] ?? ''} after={after[name] ?? ''} />
      ))}
    </FormDialog>
  );
}
