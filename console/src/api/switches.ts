import { useMutation } from '@tanstack/react-query';
import type { SwitchedOff } from '@carillon/client';
import { carillon } from './carillon';
import type { Call } from '../components/curl';
import { text } from '../text/text';
import { queryClient } from './query-client';

export type SwitchKind = SwitchedOff['kind'];

export interface SwitchChange {
  kind: SwitchKind;
  /** From the project down, as the summary has it: `shop/web/order-paid`; a channel of the organization has one slug. */
  path: string;
  enabled: boolean;
}

interface EventPath {
  org: string;
  prj: string;
  app: string;
  evt: string;
}

/** The permission that changes a switch. */
export const SWITCH_NEEDS: Record<SwitchKind, string> = {
  project: 'organization:write',
  application: 'organization:write',
  event: 'event:write',
  notification: 'notification:write',
  channel: 'channel:write',
};

/** The call that switches it, for "copy as curl"; null: a notification has an id that its path does not say. */
export function switchCall(org: string, { kind, path, enabled }: SwitchChange): Call | null {
  const [prj, app, evt] = path.split('/').map(encodeURIComponent);
  if (kind === 'notification') return null;
  const channel = app === undefined ? `c/${prj}` : `p/${prj}/c/${app}`;
  const place = [`p/${prj}`, app && `a/${app}`, evt && `e/${evt}`].filter(Boolean).join('/');
  const end = kind === 'channel' ? channel : place;
  return { method: 'PATCH', path: `/api/o/${encodeURIComponent(org)}/${end}/`, body: { enabled } };
}

/** A path has the name of a notification, and the API its id. */
async function notificationId(path: EventPath, name: string): Promise<number> {
  for await (const page of carillon.pages('/api/o/{org}/p/{prj}/a/{app}/e/{evt}/n/', { path })) {
    const found = page.find((notification) => notification.name === name);
    if (found) return found.id;
  }
  throw new Error(text.now.noNotification(name));
}

async function setSwitch(org: string, { kind, path, enabled }: SwitchChange): Promise<void> {
  const [prj = '', app = '', evt = '', ...name] = path.split('/');
  const body = { enabled };
  // A switch is one field: it is meant whatever else was changed meanwhile, and a stop must not fail for it.
  const headers = { 'If-Match': '*' };
  if (kind === 'project') await carillon.patch('/api/o/{org}/p/{prj}/', { path: { org, prj }, headers, body });
  if (kind === 'application')
    await carillon.patch('/api/o/{org}/p/{prj}/a/{app}/', { path: { org, prj, app }, headers, body });
  const event = { org, prj, app, evt };
  if (kind === 'event') await carillon.patch('/api/o/{org}/p/{prj}/a/{app}/e/{evt}/', { path: event, headers, body });
  if (kind === 'notification') {
    const notification = await notificationId(event, name.join('/'));
    await carillon.patch('/api/o/{org}/p/{prj}/a/{app}/e/{evt}/n/{notification}/', {
      path: { ...event, notification },
      headers,
      body,
    });
  }
  if (kind === 'channel' && app)
    await carillon.patch('/api/o/{org}/p/{prj}/c/{channel}/', { path: { org, prj, channel: app }, headers, body });
  if (kind === 'channel' && !app)
    await carillon.patch('/api/o/{org}/c/{channel}/', { path: { org, channel: prj }, headers, body });
}

/** Switches a project, an application, an event, a notification or a channel on or off. */
export function useSetSwitch(org: string) {
  return useMutation({
    mutationFn: (change: SwitchChange) => setSwitch(org, change),
    // A switch shows on many pages; all of them ask again.
    onSuccess: () => queryClient.invalidateQueries(),
  });
}
