import { Link } from '@tanstack/react-router';
import { useChannels } from './use-channels';

/** The name of a channel, as a link to it. A slug that belongs to nobody stays text. */
export function ChannelLink({ org, prj, slug }: { org: string; prj: string | null; slug: string }) {
  const channel = useChannels(org, prj)?.find((one) => one.slug === slug);
  if (!channel) return <span>{slug}</span>;
  return (
    <Link to="/o/$org/channels/$prj/$channel" params={{ org, prj: channel.project ?? '-', channel: slug }}>
      {channel.name}
    </Link>
  );
}
