import { usePathName, useSwitchName } from '../../api/names';
import { text } from '../../text/text';
import type { StopTarget } from './stop-target';

interface Props {
  org: string;
  target: StopTarget;
}

/** What to call a target in a sentence. */
export function TargetName({ org, target: { kind, path, running } }: Props) {
  if (kind !== 'occurrence') return <SwitchTarget {...{ org, kind, path }} />;
  return running ? <Running {...{ org, running }} /> : text.stop.names.occurrence;
}

function SwitchTarget({
  org,
  kind,
  path,
}: Pick<Props, 'org'> & { kind: Exclude<StopTarget['kind'], 'occurrence'>; path: string }) {
  return text.stop.names[kind](useSwitchName(org, kind, path));
}

function Running({
  org,
  running: { event, at, waiting },
}: Pick<Props, 'org'> & { running: NonNullable<StopTarget['running']> }) {
  return text.stop.names.running(usePathName(org, event), new Date(at), waiting);
}
