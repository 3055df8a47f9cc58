import { useMemo } from 'react';
import { useRead } from '../../api/read';
import { useCan } from '../../api/session';

const MESSAGES = '/api/o/{org}/p/{prj}/messages/';

type Text = string | Record<string, string>;

const textOf = (message: Text | undefined) => (typeof message === 'string' ? message : (message?.other ?? ''));

/** The keys of the project's messages, each with its text in the first language that has it. Null: the organization, which has none. */
export function useMessageKeys(org: string, prj: string | null): { name: string; sample: string }[] {
  const isAllowed = useCan()('event:list');
  const { data } = useRead(MESSAGES, { path: { org, prj: prj ?? '' } }, { enabled: isAllowed && prj !== null });
  return useMemo(() => {
    const languages = Object.values((data?.messages ?? {}) as Record<string, Record<string, Text>>);
    const names = [...new Set(languages.flatMap((texts) => Object.keys(texts)))].sort();
    return names.map((name) => ({ name, sample: textOf(languages.find((texts) => texts[name])?.[name]) }));
  }, [data]);
}
