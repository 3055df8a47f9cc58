import type { SendingOccurrence } from '@carillon/client';
import { SWITCH_NEEDS } from '../../api/switches';

/** What the control can stop. A notification is switched off on the page of its event. */
export interface StopTarget {
  kind: 'occurrence' | 'event' | 'application' | 'project' | 'channel';
  /** The id of an occurrence; otherwise slugs from the project down, and one slug for a channel of the organization. */
  path: string;
  /** Of an occurrence that is being sent: what to call it by. */
  running?: { event: string; at: string; waiting: number };
}

type Can = (permission: string) => boolean;
/** The session, which may belong to a project or an application. */
type Reach = { project: string | null; application: string | null } | null | undefined;

const NEEDS: Record<StopTarget['kind'], string> = { ...SWITCH_NEEDS, occurrence: 'occurrence:write' };

export const mayStopSomething = (can: Can) => Object.values(NEEDS).some(can);

/** Whether the session may stop it. What is above its own project or application is out of its reach. */
export function mayStop({ kind, path }: StopTarget, can: Can, session: Reach): boolean {
  if (!can(NEEDS[kind])) return false;
  const isOfOrganization = kind === 'channel' && !path.includes('/');
  if (session?.project && isOfOrganization) return false;
  return !(session?.application && (kind === 'project' || kind === 'channel'));
}

/** The names in the address of a page. */
export interface PageParams {
  occurrence?: string;
  prj?: string;
  app?: string;
  evt?: string;
  channel?: string;
}

/** What fits the page one is on, the smallest first. `place` is the event of the occurrence that is shown. */
export function targetsOf({ occurrence, prj, app, evt, channel }: PageParams, place: string | undefined): StopTarget[] {
  const targets: StopTarget[] = [];
  if (occurrence) targets.push({ kind: 'occurrence', path: occurrence });
  if (channel && prj) targets.push({ kind: 'channel', path: prj === '-' ? channel : `${prj}/${channel}` });
  const [project, application, event] = place?.split('/') ?? [prj === '-' ? undefined : prj, app, evt];
  if (project && application && event) targets.push({ kind: 'event', path: `${project}/${application}/${event}` });
  if (project && application) targets.push({ kind: 'application', path: `${project}/${application}` });
  if (project) targets.push({ kind: 'project', path: project });
  return targets;
}

/** An occurrence that is being sent. */
export const sendingTarget = ({
  occurrence,
  project,
  application,
  event,
  created_at: at,
  waiting,
}: Omit<SendingOccurrence, 'sent' | 'status'>) => ({
  kind: 'occurrence' as const,
  path: occurrence,
  running: { event: `${project}/${application}/${event}`, at, waiting },
});

/** A target as the value of an input, and back. */
export const valueOf = ({ kind, path }: StopTarget) => `${kind}:${path}`;
export function targetOf(value: string): StopTarget | null {
  const [kind, ...path] = value.split(':');
  return path.length > 0 ? { kind: kind as StopTarget['kind'], path: path.join(':') } : null;
}
