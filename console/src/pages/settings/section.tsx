import type { PathOf } from '@carillon/client';
import { useRef, useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import { seenOf, useEdit } from '../../api/edit';
import type { Author } from '../../api/edit';
import { Problem } from '../../components/problem';
import { text } from '../../text/text';
import { useDirty } from './dirty';

export interface SectionForm<Draft> {
  draft: Draft;
  change: (part: Partial<Draft>) => void;
  /** Somebody may only read, or a change is being saved. */
  disabled: boolean;
  error: Error | null;
}

interface Props<Thing extends object, Draft extends object> {
  title: string;
  hint: ReactNode;
  /** As the API answers it. */
  stored: Thing;
  /** The part that this section shows, as its inputs have it. */
  draftOf: (thing: Thing) => Draft;
  mayWrite: boolean;
  read: () => Promise<Thing>;
  write: (draft: Draft, headers: { 'If-Match'?: string }) => Promise<unknown>;
  authors: () => Promise<Author[]>;
  reads: readonly PathOf<'GET'>[];
  children: (form: SectionForm<Draft>) => ReactNode;
}

/** A part of the settings that saves by itself. */
export function Section<Thing extends object, Draft extends object>(props: Props<Thing, Draft>) {
  const { title, hint, stored, draftOf, mayWrite, read, write, authors, reads, children } = props;
  // Only what was typed: the rest follows what others save.
  const [typed, setTyped] = useState<Partial<Draft>>({});
  const before = JSON.stringify(draftOf(stored));
  const draft = { ...draftOf(stored), ...typed };
  const isChanged = JSON.stringify(draft) !== before;
  // As it was when one began to type. A section beside it that was saved meanwhile is no conflict.
  const seen = useRef(seenOf(stored));
  if (!isChanged || JSON.stringify(draftOf(seen.current.thing)) === before) seen.current = seenOf(stored);
  const forget = () => setTyped({});
  const save = useEdit({
    seen: () => seen.current,
    read,
    write: (given: Draft, headers) => write(given, headers),
    ...{ authors, reads },
    ...{ onDone: forget, onReload: forget },
  });
  useDirty(isChanged);
  function submit(event: FormEvent) {
    event.preventDefault();
    save.mutate(draft);
  }
  return (
    <form className="card form" onSubmit={submit} aria-label={title}>
      <div>
        <h2>{title}</h2>
        <p className="soft">{hint}</p>
      </div>
      {children({
        draft,
        change: (part) => setTyped((last) => ({ ...last, ...part })),
        disabled: !mayWrite || save.isPending,
        error: save.error,
      })}
      {save.error && <Problem error={save.error} />}
      {mayWrite && (
        <div className="row">
          <button className="button primary" disabled={!isChanged || save.isPending}>
            {save.isPending ? text.confirm.pending : text.confirm.save}
          </button>
          {isChanged && !save.isPending && (
            <button type="button" className="button" onClick={forget}>
              {text.settings.undo}
            </button>
          )}
          <span className="soft" role="status">
            {save.isSuccess && !isChanged ? text.settings.saved : isChanged ? text.settings.unsaved : ''}
          </span>
        </div>
      )}
    </form>
  );
}
