import { useState } from 'react';
import { useRead } from '../../api/read';
import { useCan } from '../../api/session';
import { SWITCH_NEEDS, useSetSwitch } from '../../api/switches';
import { Badge } from '../../components/badge';
import { Confirm } from '../../form/confirm';
import { text } from '../../text/text';
import { EVENT } from './place';
import type { EventPlace } from './place';

type Kind = 'project' | 'application' | 'event';

/** What must be on so that the event sends, and who is affected by each. */
export function Switches({ place }: { place: EventPlace }) {
  const { org, prj, app } = place;
  const can = useCan();
  const [asked, setAsked] = useState<Kind | null>(null);
  const isAllowed = can('organization:read');
  const project = useRead('/api/o/{org}/p/{prj}/settings/', { path: { org, prj } }, { enabled: isAllowed }).data;
  const application = useRead(
    '/api/o/{org}/p/{prj}/a/{app}/',
    { path: { org, prj, app } },
    { enabled: isAllowed },
  ).data;
  const event = useRead(EVENT, { path: { ...place } }).data;
  const found = { project, application, event };
  const write = useSetSwitch(org);
  const paths = { project: prj, application: `${prj}/${app}`, event: `${prj}/${app}/${place.evt}` };
  const close = () => {
    setAsked(null);
    write.reset();
  };
  const turned = asked && found[asked];
  return (
    <section className="card">
      <h2>{text.event.switches.title}</h2>
      <ul className="event-switches">
        {(['project', 'application', 'event'] as const).map((kind) => {
          const one = found[kind];
          if (!one) return null;
          const mayTurn = can(SWITCH_NEEDS[kind]);
          return (
            <li key={kind}>
              <Badge tone={one.enabled ? 'good' : 'warn'}>{one.enabled ? text.event.on : text.event.off}</Badge>
              <span className="what">
                {text.event.switches[kind]} <strong>{one.name}</strong>
                <br />
                <span className="soft">{text.event.switches.affects[kind]}</span>
              </span>
              {mayTurn && (
                <button className="button small" onClick={() => setAsked(kind)}>
                  {one.enabled ? text.event.switches.turnOff : text.event.switches.turnOn}
                </button>
              )}
            </li>
          );
        })}
      </ul>
      {asked && turned && (
        <Confirm
          title={text.event.switches.ask(turned.enabled, turned.name)}
          action={turned.enabled ? text.event.switches.turnOff : text.event.switches.turnOn}
          onClose={close}
          onConfirm={() =>
            write.mutate({ kind: asked, path: paths[asked], enabled: !turned.enabled }, { onSuccess: close })
          }
          isPending={write.isPending}
          error={write.error}
        >
          {turned.enabled ? text.event.switches.affects[asked] : text.event.switches.resumes}
        </Confirm>
      )}
    </section>
  );
}
