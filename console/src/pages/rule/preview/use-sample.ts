import { useState } from 'react';
import { readJson } from '../../../editor/json';
import { usePeople } from '../../../form/person-input';
import type { EventPlace } from '../../event/place';
import { useContextOf } from '../../event/use-last-context';

/** The real data that a preview, a simulation and a message to oneself use: the context of an occurrence, and a user. */
export function useSample(place: EventPlace, me: string) {
  const [occurrence, setOccurrence] = useState<string>();
  const [own, setOwn] = useState<string | null>(null);
  const [typed, setPerson] = useState<string | null>(null);
  const person = typed ?? me;
  const found = useContextOf(place, occurrence);
  const isKnown = usePeople(place.org, person).some(({ username }) => username === person.trim());
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
    ownFault: ownJson?.fault ?? null,
    /** Undefined while it is read, or while what was typed is no JSON. */
    context: ownJson ? (ownJson.fault ? undefined : ((ownJson.value ?? {}) as Record<string, unknown>)) : found,
    found,
    person,
    setPerson,
    /** The user, once the words name one. */
    user: isKnown ? person.trim() : undefined,
  };
}

export type Sample = ReturnType<typeof useSample>;
