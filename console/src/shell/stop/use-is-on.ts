import { useQuery } from '@tanstack/react-query';
import { carillon } from '../../api/carillon';
import { valueOf } from './stop-target';
import type { StopTarget } from './stop-target';

/** Whether it is switched on; undefined: not known yet, or the session may not read it. */
export function useIsOn(org: string, target: StopTarget | null): boolean | undefined {
  return useQuery({
    queryKey: ['is-on', org, target && valueOf(target)],
    queryFn: ({ signal }) => isOn(org, target!, signal),
    enabled: target !== null && target.kind !== 'occurrence',
    staleTime: 0,
  }).data;
}

async function isOn(org: string, { kind, path }: StopTarget, signal: AbortSignal): Promise<boolean> {
  const [prj = '', app = '', evt = ''] = path.split('/');
  if (kind === 'project') {
    // The answer of a project does not have its switch.
    const { switched_off: off } = await carillon.get('/api/o/{org}/summary/', { path: { org }, signal });
    return !off.some((each) => each.kind === kind && each.path === path);
  }
  return (await read()).enabled;

  function read(): Promise<{ enabled: boolean }> {
    if (kind === 'application')
      return carillon.get('/api/o/{org}/p/{prj}/a/{app}/', { path: { org, prj, app }, signal });
    if (kind === 'event')
      return carillon.get('/api/o/{org}/p/{prj}/a/{app}/e/{evt}/', { path: { org, prj, app, evt }, signal });
    if (app) return carillon.get('/api/o/{org}/p/{prj}/c/{channel}/', { path: { org, prj, channel: app }, signal });
    return carillon.get('/api/o/{org}/c/{channel}/', { path: { org, channel: prj }, signal });
  }
}
