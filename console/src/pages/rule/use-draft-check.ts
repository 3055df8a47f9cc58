import { ProblemError } from '@carillon/client';
import type { DraftNotification, SimulateWarning, Simulation } from '@carillon/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { carillon } from '../../api/carillon';
import { text } from '../../text/text';
import type { EventPlace } from '../event/place';
import { useSettled } from './preview/use-settled';

const SIMULATE = '/api/o/{org}/p/{prj}/a/{app}/e/{evt}/simulate/';
const PREFIX = 'notification.';

/** A user whom no organization has: nobody need be found to check a draft. */
const NOBODY = 'nobody@carillon.invalid';

interface Checked {
  place: EventPlace;
  /** Of the rule as it is edited. */
  name: string;
  /** The edits; undefined: nothing is to be checked. */
  edited: DraftNotification | undefined;
  context: Record<string, unknown> | undefined;
  takesRecipients: boolean;
}

/** What the service says of edits before they are published. */
export interface DraftCheck {
  /** What it would refuse, by the names of the fields; null: nothing. */
  error: ProblemError | null;
  /** Steps that would tell nobody. */
  unreached: SimulateWarning[];
  /** Why it would be sent to nobody at all, whoever is meant: its condition is false, for example. Null: it would be sent. */
  withheld: string | null;
}

const NOTHING: DraftCheck = { error: null, unreached: [], withheld: null };

/** It is asked once nobody types any more. */
export function useDraftCheck({ place, name, edited, context, takesRecipients }: Checked): DraftCheck {
  const options = { limit_to: [NOBODY], ...(takesRecipients && { recipients: [NOBODY] }) };
  const body = useSettled(JSON.stringify({ context, options, notification: edited }), PAUSE_MS);
  const { data } = useQuery({
    queryKey: [SIMULATE, place, body],
    queryFn: ({ signal }) =>
      carillon
        .post(SIMULATE, { path: { ...place }, body: JSON.parse(body) as object, signal })
        .then(({ warnings, rules }) => ({
          error: null,
          unreached: warnings.filter(({ kind }) => kind === 'unreached_step'),
          withheld: withheldBy(rules, name),
        }))
        .catch((error: unknown) => ({ ...NOTHING, error: errorsOfFields(error) })),
    enabled: edited !== undefined && context !== undefined,
    placeholderData: keepPreviousData,
    retry: false,
  });
  return edited === undefined ? NOTHING : (data ?? NOTHING);
}

function withheldBy(rules: Simulation['rules'], name: string): string | null {
  const rule = rules.find(({ notification }) => notification === name.trim());
  return rule && rule.verdict !== 'matched' ? (rule.reason ?? text.rule.simulation[rule.verdict]) : null;
}

const PAUSE_MS = 600;

/** The errors of a draft, named as the form names its fields. Other refusals are no faults of the draft. */
export function errorsOfFields(error: unknown): ProblemError | null {
  if (!(error instanceof ProblemError)) return null;
  const errors = Object.entries(error.errors).filter(([field]) => field.startsWith(PREFIX));
  if (errors.length === 0) return null;
  const named = Object.fromEntries(errors.map(([field, messages]) => [field.slice(PREFIX.length), messages]));
  return new ProblemError({ ...error.problem, errors: named }, error.headers);
}
