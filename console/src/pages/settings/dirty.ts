import { createContext, useContext, useEffect, useId } from 'react';

/** Tells the page whether a section has edits that are not saved: one question for all of them, when somebody leaves. */
export const DirtySections = createContext<(section: string, isDirty: boolean) => void>(() => undefined);

export function useDirty(isDirty: boolean): void {
  const id = useId();
  const report = useContext(DirtySections);
  useEffect(() => report(id, isDirty), [report, id, isDirty]);
  useEffect(() => () => report(id, false), [report, id]);
}
