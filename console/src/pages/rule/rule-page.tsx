import { useRead } from '../../api/read';
import { Problem } from '../../components/problem';
import { Rows } from '../../components/skeleton';
import type { EventPlace } from '../event/place';
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
  const isNew = rule === 'new';
  const { data, error, refetch } = useRead(
    '/api/o/{org}/p/{prj}/a/{app}/e/{evt}/n/{notification}/',
    { path: { ...place, notification: Number(rule) } },
    { enabled: !isNew },
  );
  if (error) return <Problem error={error} again={() => void refetch()} />;
  if (!data && !isNew) return <Rows />;
  return <Workbench place={place} id={rule} saved={data ?? NEW} />;
}
