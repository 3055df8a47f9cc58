import type { Device } from '@carillon/client';
import { useState } from 'react';
import { carillon } from '../../api/carillon';
import { useList } from '../../api/read';
import { useCan } from '../../api/session';
import { useWrite } from '../../api/write';
import { Badge } from '../../components/badge';
import { CopyCurl } from '../../components/curl';
import { Empty } from '../../components/empty';
import { Table } from '../../components/table';
import { Time } from '../../components/time';
import { Confirm } from '../../form/confirm';
import { text } from '../../text/text';

const DEVICES = '/api/o/{org}/u/{username}/devices/';

interface Props {
  org: string;
  username: string;
}

/** The phones and browsers that push messages reach. */
export function Devices({ org, username }: Props) {
  const can = useCan();
  const list = useList(DEVICES, { path: { org, username } }, { poll: true });
  const mayWrite = can('device:write', 'organization');
  return (
    <section className="stack" aria-label={text.person.devices}>
      <div className="row">
        <CopyCurl call={{ path: `/api/o/${org}/u/${encodeURIComponent(username)}/devices/` }} />
      </div>
      <Table
        label={text.person.devices}
        list={list}
        keyOf={({ app, device }) => `${app}/${device}`}
        columns={[
          { name: text.person.device, kind: 'main', cell: (device) => <About device={device} /> },
          {
            name: text.person.lastSeen,
            kind: 'narrow',
            cell: ({ last_seen_at }) =>
              last_seen_at ? <Time at={last_seen_at} /> : <span className="soft">{text.person.neverSeen}</span>,
          },
          ...(mayWrite
            ? [
                {
                  name: '',
                  kind: 'narrow' as const,
                  cell: (device: Device) => <Remove org={org} username={username} device={device} />,
                },
              ]
            : []),
        ]}
        empty={<Empty title={text.person.devices}>{text.person.noDevice}</Empty>}
      />
    </section>
  );
}

const nameOf = ({ name, app, platform }: Device) => name || `${platform}, ${app}`;

function About({ device }: { device: Device }) {
  const { name, app, platform, address_kind, app_version, locale, time_zone, problem } = device;
  const facts = [name ? platform : '', name ? app : '', app_version, address_kind, locale, time_zone];
  return (
    <div className="person-delivery">
      <span className="place">{nameOf(device)}</span>
      <span className="soft">{facts.filter(Boolean).join(' · ')}</span>
      {problem !== null && <Badge tone="bad">{text.person.deviceRefused(problem)}</Badge>}
    </div>
  );
}

function Remove({ org, username, device }: Props & { device: Device }) {
  const [isAsking, setAsking] = useState(false);
  const path = { org, username, bundle: device.app, device: device.device };
  const remove = useWrite(
    () => carillon.delete('/api/o/{org}/u/{username}/devices/{bundle}/{device}/', { path }),
    DEVICES,
  );
  const close = () => setAsking(false);
  const name = nameOf(device);
  return (
    <>
      <button className="button small plain" onClick={() => setAsking(true)}>
        {text.person.removeDevice}
        <span className="hidden"> {name}</span>
      </button>
      {isAsking && (
        <Confirm
          title={text.person.removeDeviceTitle(name)}
          action={text.person.removeDevice}
          onClose={close}
          onConfirm={() => remove.mutate(undefined, { onSuccess: close })}
          isPending={remove.isPending}
          error={remove.error}
        >
          {text.person.removeDeviceHint}
        </Confirm>
      )}
    </>
  );
}
