import { Permission } from '../../../auth/permission.js';
import type { Reach } from '../../../auth/require-permission.decorator.js';
import type { Scope } from '../../../auth/scope.js';
import { forbidden, notFound, outOfReach } from '../../../platform/http/problem.js';
import type { ScheduleFields } from '../../../api/schedule/put-schedule.js';
import type { Change } from '../apply/change.js';
import type { OrganizationEntry, ProjectEntry } from '../file.js';

/** What the operation for one noun requires of a key. */
interface Need {
  permission: Permission;
  reach?: Reach;
}

const need = (permission: Permission, reach?: Reach): Need => ({ permission, reach });

/** Refuses the key as the operation itself would: first the permission, then the reach. */
export function requireNeeds({ key }: Scope, needs: Iterable<Need>): void {
  for (const { permission, reach } of needs) {
    if (!key.permissions.includes(permission)) throw forbidden(permission);
    if (reach === 'service' && !key.isOperator) throw outOfReach(reach);
    if (reach === 'organization' && key.projectId !== null) throw outOfReach(reach);
  }
}

/** A key that is bound to a project does not see the others, whether they exist or not. */
export function requireOwnProject(entry: OrganizationEntry, ownSlug: string | null): void {
  const isForeign = ({ slug }: ProjectEntry) => slug !== ownSlug;
  if (ownSlug !== null && entry.projects?.some(isForeign)) throw notFound('project');
}

/**
 * What a configuration needs because of the entries in it, before anything is compared. Otherwise a key could find out what is stored: a
 * guess that changes nothing would be accepted. With `prune` an empty list deletes.
 */
export function* needsOfEntries(entry: OrganizationEntry, prune: boolean): Generator<Need> {
  const { slug: _, name: __, quotas, channels, layouts, partials, users, projects = [], ...settings } = entry;
  const has = (list: readonly unknown[] | undefined) => list !== undefined && (prune || list.length > 0);
  if (quotas) yield need(Permission.OrganizationWrite, 'service');
  if (Object.keys(settings).length > 0) yield need(Permission.OrganizationWrite, 'organization');
  if (has(channels)) yield need(Permission.ChannelWrite, 'organization');
  if (has(layouts) || has(partials)) yield need(Permission.NotificationWrite, 'organization');
  if (has(users)) yield need(Permission.UserWrite, 'organization');
  if (users?.some(({ preferences }) => preferences)) yield need(Permission.PreferenceWrite, 'organization');
  for (const project of projects) {
    if (has(project.channels)) yield need(Permission.ChannelWrite, 'project');
    if (has(project.layouts) || has(project.partials)) yield need(Permission.NotificationWrite, 'project');
    // Messages are replaced as a whole: an empty object deletes them, and a plan with it shows them.
    if (has(project.categories) || project.messages) yield need(Permission.EventWrite, 'project');
    if (has(project.distribution_lists)) yield need(Permission.DistributionListWrite, 'project');
    for (const { status_webhook: webhook, events = [] } of project.applications ?? []) {
      if (webhook !== undefined) yield need(Permission.OrganizationWrite);
      if (events.some(({ notifications }) => has(notifications))) yield need(Permission.NotificationWrite);
      for (const { schedule } of events) yield* needsOfSchedule(schedule);
    }
  }
}

/** As the operation that sets a schedule: it triggers the event. */
function* needsOfSchedule(schedule: ScheduleFields | null | undefined): Generator<Need> {
  if (schedule === undefined) return;
  yield need(Permission.EventWrite);
  if (schedule) yield need(Permission.EventTrigger);
  if (schedule?.options?.priority === 'critical') yield need(Permission.EventTriggerCritical);
}

/** What the changes need. Projects, applications and events are in a file also because of what is inside them. */
export function* needsOfChanges(changes: readonly Change[]): Generator<Need> {
  for (const { noun, verb, differences = [] } of changes) {
    if (noun === 'organization' && differences.some(({ field }) => field === 'name' || field === 'quotas'))
      yield need(Permission.OrganizationWrite, 'service');
    if (noun === 'project') yield need(Permission.OrganizationWrite, verb === 'update' ? 'project' : 'organization');
    if (noun === 'application') yield need(Permission.OrganizationWrite, verb === 'update' ? undefined : 'project');
    if (noun === 'event' || noun === 'schedule') yield need(Permission.EventWrite);
  }
}

/** What an export needs: the permissions to read each noun in it. */
export function needsOfExport(withUsers: boolean): Need[] {
  const nouns = [
    Permission.OrganizationRead,
    Permission.EventList,
    Permission.NotificationRead,
    Permission.DistributionListRead,
  ];
  return [
    ...nouns.map((permission) => need(permission)),
    ...(withUsers ? [need(Permission.UserRead), need(Permission.PreferenceRead)] : []),
  ];
}
