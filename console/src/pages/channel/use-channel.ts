import { useQuery } from '@tanstack/react-query';
import { keyOf } from '../../api/read';
import { readChannel } from './calls';

/** A channel with its settings. Secrets are masked. */
export function useChannel(org: string, prj: string | null, channel: string, options: { enabled?: boolean } = {}) {
  return useQuery({
    queryKey:
      prj === null
        ? keyOf('/api/o/{org}/c/{channel}/', { path: { org, channel } })
        : keyOf('/api/o/{org}/p/{prj}/c/{channel}/', { path: { org, prj, channel } }),
    queryFn: ({ signal }) => readChannel(org, prj, channel, signal),
    enabled: options.enabled ?? true,
  });
}
