import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useReadOrNull } from '../../../api/read';
import { useCan } from '../../../api/session';
import { Badge } from '../../../components/badge';
import { Problem } from '../../../components/problem';
import { text } from '../../../text/text';
import { readPlace, settingsPath } from './place';
import type { Place } from './place';
import { RemovePlace } from './remove-place';
import { RenamePlace } from './rename-place';
import { StatusWebhookDialog } from './status-webhook';

const WEBHOOK = '/api/o/{org}/p/{prj}/a/{app}/status-webhook/';
const words = text.settings.projects;

/** One project or application with what one may do to it. */
export function PlaceRow({ place }: { place: Place }) {
  const { app } = place;
  const can = useCan();
  const [isRenaming, setRenaming] = useState(false);
  const [isRemoving, setRemoving] = useState(false);
  const stored = useQuery({ queryKey: [settingsPath(place), place], queryFn: () => readPlace(place) });
  const mayRename = can('organization:write', app === undefined ? 'project' : undefined);
  const mayRemove = can('organization:write', app === undefined ? 'organization' : 'project');
  if (stored.error) return <Problem error={stored.error} again={() => void stored.refetch()} />;
  if (!stored.data) return <span className="skeleton" />;
  const { name, slug, enabled } = stored.data;
  const kind = app === undefined ? words.project : words.application;
  return (
    <div className={app === undefined ? 'settings-place' : 'settings-place application'}>
      <span>
        <span className="soft">{kind}</span> <strong>{name}</strong> <span className="soft mono">{slug}</span>{' '}
        {!enabled && <Badge tone="warn">{text.event.off}</Badge>}
      </span>
      {app !== undefined && <Webhook place={{ ...place, app }} name={name} />}
      {mayRename && (
        <button className="button small" aria-haspopup="dialog" onClick={() => setRenaming(true)}>
          {words.rename}
          <span className="hidden"> {name}</span>
        </button>
      )}
      {mayRemove && (
        <button className="button small danger" aria-haspopup="dialog" onClick={() => setRemoving(true)}>
          {text.person.delete}
          <span className="hidden"> {name}</span>
        </button>
      )}
      {isRenaming && <RenamePlace {...{ place, kind }} stored={stored.data} onClose={() => setRenaming(false)} />}
      {isRemoving && <RemovePlace {...{ place, kind }} stored={stored.data} onClose={() => setRemoving(false)} />}
    </div>
  );
}

/** Whether the outcomes of an application's messages are reported, and the form that changes it. */
function Webhook({ place, name }: { place: Required<Place>; name: string }) {
  const mayWrite = useCan()('organization:write');
  const [isOpen, setOpen] = useState(false);
  const { data, error } = useReadOrNull(WEBHOOK, { path: { ...place } });
  if (error || data === undefined || (data === null && !mayWrite)) return null;
  return (
    <>
      {data && (
        <Badge tone={data.enabled ? 'good' : 'warn'}>{data.enabled ? words.webhook.on : words.webhook.off}</Badge>
      )}
      <button className="button small" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {data ? words.webhook.open : words.webhook.create}
        <span className="hidden"> {name}</span>
      </button>
      {isOpen && <StatusWebhookDialog {...{ place, name, mayWrite }} stored={data} onClose={() => setOpen(false)} />}
    </>
  );
}
