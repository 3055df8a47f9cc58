import { useRead } from '../../api/read';
import { Problem } from '../../components/problem';
import { Rows } from '../../components/skeleton';
import type { EventPlace } from '../event/place';
import { useOpenedDraft } from './draft/use-drafts';
import { isNewRule } from './parts';
import type { RuleContent } from './parts';
import { Workbench } from './workbench';
import './rule.css';

const NEW: RuleContent = {
  ...{ name: '', enabled: true, when: null, distribution_lists: [], templates: [] },
  ...{
    to: null,
    audience: null,
    window: null,
    digest: null,
    limit: null,
    steps: null,
    acknowledge: null,
    thread: null,
  },
};

/** One rule of an event: edit, preview, simulate, send to oneself, publish. */
export function RulePage({ place, rule }: { place: EventPlace; rule: string }) {
  const isNew = isNewRule(rule);
  const draft = useOpenedDraft(place, rule, NEW);
  const { data, error, refetch } = useRead(
    '/api/o/{org}/p/{prj}/a/{app}/e/{evt}/n/{notification}/',
    { path: { ...place, notification: Number(rule) } },
    { enabled: !isNew },
  );
  const failure = error ?? draft.error;
  if (failure) return <Problem error={failure} again={() => void (error ? refetch() : draft.refetch())} />;
  if ((!data && !isNew) || draft.opened === undefined) return <Rows />;
  return <Workbench place={place} id={rule} saved={data ?? NEW} opened={draft.opened} empty={NEW} />;
}
