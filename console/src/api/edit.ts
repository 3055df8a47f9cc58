import { ProblemError, etagOf } from '@carillon/client';
import type { PathOf } from '@carillon/client';
import { useMutation } from '@tanstack/react-query';
import { bodyOver, differencesOf, mergeOf } from './mergeable';
import type { Differences, Merge, Mergeable, Seen } from './mergeable';
import { queryClient } from './query-client';
import { keyOf, nullIfGone } from './read';

export const seenOf = <Thing extends object>(thing: Thing): Seen<Thing> => ({ thing, etag: etagOf(thing) });

/** Who has changed a thing lately, and which of its fields. */
export interface Author {
  actor: string;
  at: string;
  fields: string[];
}

/** Somebody else has changed what you wanted to change. Nothing was saved. */
export class ChangedMeanwhile extends Error {
  constructor(
    /** Newest first; empty: the session may not read it. */
    readonly authors: Author[],
    /** The parts that differ: as you saw them, and as they are now. Null: the thing was deleted. */
    readonly changes: Differences | null,
    /** Null: there is nothing to put together, as when you wanted to delete it. */
    readonly merge: Merge | null,
    readonly reload: () => void,
    /** Does what you wanted to do with the version that `changes` shows, and with no other. */
    readonly overwrite: () => void,
  ) {
    super('changed meanwhile');
  }
}

interface Edit<Thing extends object, Given, Result> extends Mergeable<Thing, Given> {
  read: () => Promise<Thing>;
  /** `body`: those of `fields` that differ from the version that is changed; of a `PUT`, all. */
  write: (given: Given, headers: { 'If-Match'?: string }, body: object) => Promise<Result>;
  /** Who has changed it lately; null: it was deleted. */
  authors: (now: Thing | null) => Promise<Author[]>;
  /** What the change concerns, to be read again. */
  reads: readonly PathOf<'GET'>[];
  onDone?: (result: Result) => unknown;
  /** Changes with the same word follow each other: each sees the version that the one before it has made. */
  serially?: string;
  /** Drops what was typed. */
  onReload?: () => unknown;
}

/** Changes a version of a thing, and no other: see `ChangedMeanwhile`. */
export function useEdit<Thing extends object, Result, Given = void>(edit: Edit<Thing, Given, Result>) {
  const readAgain = () =>
    Promise.all(edit.reads.map((path) => queryClient.invalidateQueries({ queryKey: keyOf(path) })));
  const mutation = useMutation({
    scope: edit.serially === undefined ? undefined : { id: edit.serially },
    mutationFn: async ({ given, over }: { given: Given; over?: Over }): Promise<Result> => {
      const begun = edit.seen();
      const etag = over ? over.etag : begun.etag;
      try {
        return await edit.write(given, { 'If-Match': etag }, over?.body ?? bodyOver(edit, given, begun.thing));
      } catch (error) {
        if (!(error instanceof ProblemError) || error.status !== 412) throw error;
        const now = await edit.read().catch(nullIfGone);
        const authors = await edit.authors(now);
        const changes = now && differencesOf(edit, begun.thing, now);
        const again = (body?: object) => now && mutation.mutate({ given, over: { etag: etagOf(now), body } });
        const reload = () => {
          mutation.reset();
          edit.onReload?.();
          void readAgain();
        };
        throw new ChangedMeanwhile(authors, changes, now && mergeOf(edit, given, now, again), reload, () => again());
      }
    },
    onSuccess: async (result) => {
      await readAgain();
      await edit.onDone?.(result);
    },
  });
  return { ...mutation, mutate: (given: Given) => mutation.mutate({ given }) };
}

/** A version that was shown, and what is saved over it. Without a body, the whole change. */
interface Over {
  etag: string | undefined;
  body?: object;
}
