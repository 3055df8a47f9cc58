import { useMemo, useState } from 'react';
import { useRead } from '../../../api/read';
import { readJson } from '../../../editor/json';
import { fullName, usePeople } from '../../../form/person-input';
import { namesOf } from '../../event/context-schema';
import { withNames } from '../../event/data/data';
import type { EventPlace } from '../../event/place';
import { useContextOf, useLatest } from '../../event/use-last-context';
import { languageTag } from '../language-tag';

const SCHEMA = '/api/o/{org}/p/{prj}/a/{app}/e/{evt}/schema/';

/**
 * The real data that a preview, a simulation and a message to oneself use: the context of an occurrence, and a user. `drafted`: the fields that the edits
 * use.
 */
export function useSample(place: EventPlace, me: string, drafted: readonly string[]) {
  const [occurrence, setOccurrence] = useState<string>();
  const [own, setOwn] = useState<string | null>(null);
  const [typed, setPerson] = useState<string | null>(null);
  const person = typed ?? me;
  const [locale, setLocale] = useState('');
  const latest = useLatest(place).data?.[0]?.id;
  const schema = useRead(SCHEMA, { path: { ...place } }).data;
  const names = useMemo(() => [...new Set([...namesOf(schema), ...drafted])], [schema, drafted]);
  const read = useContextOf(place, occurrence);
  // What happened is shown as it was; an invented context has all fields.
  const earlier = occurrence ?? latest;
  const found = useMemo(() => read && (earlier ? read : withNames(read, names)), [read, earlier, names]);
  const people = usePeople(place.org, person);
  const named = people.find(({ username }) => username === person.trim().toLowerCase());
  // A part of a name is enough if it means one user.
  const user = named ?? (people.length === 1 ? people[0] : undefined);
  const ownJson = own === null ? null : readJson(own);
  return {
    occurrence,
    choose(id: string) {
      setOwn(null);
      setOccurrence(id);
    },
    /** A context that was typed; null: that of an occurrence. */
    own,
    setOwn,
    names,
    /** Undefined while it is read, or while what was typed is no JSON. */
    context: ownJson ? (ownJson.fault ? undefined : ((ownJson.value ?? {}) as Record<string, unknown>)) : found,
    found,
    /** The occurrence whose context is used; undefined: none. */
    earlier: own === null ? earlier : undefined,
    locale,
    setLocale,
    /** Null: nothing is typed, or no language. */
    language: languageTag(locale),
    person,
    setPerson,
    /** The user, once the words name one. */
    user: user?.username,
    /** What the user is called. */
    userName: user && (fullName(user) || user.username),
    /** Whether the words find more users than one. */
    isAmbiguous: people.length > 1,
  };
}

export type Sample = ReturnType<typeof useSample>;
