import type { DeviceResult } from '@carillon/client';
import { useCan } from '../../../api/session';
import { Badge } from '../../../components/badge';
import { Time } from '../../../components/time';
import { useMask } from '../../../components/use-mask';
import { text } from '../../../text/text';

const TONES = {
  sent: 'good',
  retry: 'warn',
  given_up: 'bad',
  gone: 'bad',
  set_aside: 'bad',
  rejected: 'bad',
} as const;

/** What became of the message on each device of the user, with the words of the provider. */
export function Devices({ devices }: { devices: DeviceResult[] }) {
  const mask = useMask();
  const seesPeople = useCan()('user:read');
  const nameOf = (name: string) => (seesPeople ? name : '');
  return (
    <ul className="attempts">
      {devices.map(({ app, device, platform, name, outcome, answer, at }) => (
        <li key={`${app}/${device}`}>
          <span className="row">
            <strong>{nameOf(name) || `${platform}, ${app}`}</strong>
            <Badge tone={TONES[outcome]}>{text.delivery.onDevice[outcome]}</Badge>
            <span className="soft">
              {nameOf(name) && `${platform}, ${app} · `}
              <Time at={at} />
            </span>
          </span>
          <code>{mask(answer)}</code>
        </li>
      ))}
    </ul>
  );
}
