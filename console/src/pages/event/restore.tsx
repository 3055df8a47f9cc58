import type { CreateNotification, Revision } from '@carillon/client';
import { carillon } from '../../api/carillon';
import { seenOf, useEdit } from '../../api/edit';
import { useReadOrNull } from '../../api/read';
import { Compare } from '../../compare/compare';
import { Problem } from '../../components/problem';
import { Rows } from '../../components/skeleton';
import { FormDialog } from '../../form/form-dialog';
import { text } from '../../text/text';
import { useChannelNames } from '../channel/use-channels';
import { REVISIONS, authorsOf } from '../rule/authors-of';
import { bodyOf, changedParts, partsOf } from '../rule/parts';
import type { RuleContent } from '../rule/parts';
import type { EventPlace } from './place';

const RULES = '/api/o/{org}/p/{prj}/a/{app}/e/{evt}/n/';
const RULE = `${RULES}{notification}/` as const;
const SCHEMA = '/api/o/{org}/p/{prj}/a/{app}/e/{evt}/schema/';

export type Revised = NonNullable<Revision['changes'][number]['rule']>;

interface Props {
  place: EventPlace;
  id: number;
  /** The notification as it was. */
  was: Revised;
  onClose: () => void;
}

/** Puts a notification back to what it said, after showing what that changes. One that was deleted is created again. */
export function Restore({ place, id, was, onClose }: Props) {
  const nameOf = useChannelNames(place.org, place.prj);
  const path = { ...place, notification: id };
  const { data: now, error } = useReadOrNull(RULE, { path });
  const current: RuleContent | null = now ?? null;
  // A channel that was deleted has no name that a template could use.
  const content: RuleContent = { ...was, templates: was.templates.filter(({ channel }) => channel !== null) };
  const write = useEdit({
    seen: () => seenOf<RuleContent>(current ?? content),
    read: (): Promise<RuleContent> => carillon.get(RULE, { path }),
    write: (_: void, headers) => {
      const body = bodyOf(current, content);
      if (!current) return carillon.post(RULES, { path: { ...place }, body: body as CreateNotification });
      return carillon.patch(RULE, { path, headers, body });
    },
    authors: () => authorsOf(place, id, nameOf),
    partsOf: (rule) => partsOf(rule, nameOf),
    reads: [RULES, RULE, SCHEMA, REVISIONS],
    onDone: onClose,
    onReload: onClose,
  });
  const names = changedParts(current, content, nameOf);
  const [before, after] = [partsOf(current, nameOf), partsOf(content, nameOf)];
  const words = text.event.history.restore;
  const lost = was.templates.length - content.templates.length;
  const losesMjml = current?.templates.some(
    ({ channel, mjml }) => mjml && content.templates.some((one) => one.channel === channel && !one.mjml),
  );
  return (
    <FormDialog
      title={words.title(was.name)}
      action={words.action}
      wide
      onClose={onClose}
      onSubmit={() => (names.length === 0 ? onClose() : write.mutate())}
      isPending={write.isPending || now === undefined}
      error={write.error}
    >
      {error && <Problem error={error} />}
      {now === undefined && !error && <Rows />}
      {now !== undefined && (
        <>
          <p>{names.length === 0 ? words.same : current ? words.changes(names.join(', ')) : words.again}</p>
          {lost > 0 && <p className="note warn">{words.lost}</p>}
          {losesMjml && <p className="note warn">{words.mjml}</p>}
          {names.map((name) => (
            <Compare key={name} label={name} before={before[name] ?? ''} after={after[name] ?? ''} />
          ))}
        </>
      )}
    </FormDialog>
  );
}
