import { ProblemError, etagOf } from '@carillon/client';
import type { PathOf } from '@carillon/client';
import { useMutation } from '@tanstack/react-query';
import { queryClient } from './query-client';
import { keyOf, nullIfGone } from './read';

/** A thing as somebody saw it when they began to change it, and its version. */
export interface Seen<Thing> {
  thing: Thing;
  etag: string | undefined;
}

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
    readonly changes: Record<string, [before: string, after: string]> | null,
    readonly reload: () => void,
    /** Saves over the version that `changes` shows, and over no other. */
    readonly overwrite: () => void,
  ) {
    super('changed meanwhile');
  }
}

interface Edit<Thing extends object, Given, Result> {
  seen: () => Seen<Thing>;
  read: () => Promise<Thing>;
  write: (given: Given, headers: { 'If-Match'?: string }) => Promise<Result>;
  authors: () => Promise<Author[]>;
  /** The parts of a thing as texts, by readable names. */
  partsOf?: (thing: Thing) => Record<string, string>;
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
    mutationFn: async ({ given, over }: { given: Given; over?: Thing }): Promise<Result> => {
      const seen = over ? seenOf(over) : edit.seen();
      try {
        return await edit.write(given, { 'If-Match': seen.etag });
      } catch (error) {
        if (!(error instanceof ProblemError) || error.status !== 412) throw error;
        const [now, authors] = await Promise.all([edit.read().catch(nullIfGone), edit.authors()]);
        const changes = now && differences(edit.partsOf ?? textsOf, seen.thing, now);
        const reload = () => {
          mutation.reset();
          edit.onReload?.();
          void readAgain();
        };
        throw new ChangedMeanwhile(authors, changes, reload, () => now && mutation.mutate({ given, over: now }));
      }
    },
    onSuccess: async (result) => {
      await readAgain();
      await edit.onDone?.(result);
    },
  });
  return { ...mutation, mutate: (given: Given) => mutation.mutate({ given }) };
}

function differences<Thing>(
  partsOf: (thing: Thing) => Record<string, string>,
  seen: Thing,
  now: Thing,
): Record<string, [string, string]> {
  const [before, after] = [partsOf(seen), partsOf(now)];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const differing = names.filter((name) => before[name] !== after[name]);
  return Object.fromEntries(differing.map((name) => [name, [before[name] ?? '', after[name] ?? '']]));
}

/** The fields, and those of its objects one level down, such as `config.host`. */
function textsOf(thing: object, prefix = ''): Record<string, string> {
  const entries = Object.entries(thing).flatMap(([name, value]: [string, unknown]): [string, string][] => {
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (isObject && prefix === '') return Object.entries(textsOf(value, `${name}.`));
    return [[`${prefix}${name}`, typeof value === 'string' ? value : JSON.stringify(value)]];
  });
  return Object.fromEntries(entries);
}
