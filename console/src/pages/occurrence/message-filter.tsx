import { useNavigate } from '@tanstack/react-router';
import { Badge } from '../../components/badge';
import { messageName } from '../../text/message-name';
import { text } from '../../text/text';
import type { Filters } from './occurrence-query';

/** Only occurrences with certain messages: a figure led here. */
export function MessageFilter({ org, filters }: { org: string; filters: Filters }) {
  const navigate = useNavigate();
  const { outcome, reason, channel, domain, ...others } = filters;
  if (!outcome && !reason && !channel && !domain) return null;
  const drop = () => void navigate({ to: '/o/$org/occurrences', params: { org }, search: others, replace: true });
  return (
    <div className="row">
      <span>{text.occurrences.withMessages}</span>
      {(outcome || reason) && <Badge>{messageName(outcome, reason)}</Badge>}
      {channel && <Badge>{text.occurrences.over(channel)}</Badge>}
      {domain && <Badge>{text.occurrences.toDomain(domain)}</Badge>}
      <button type="button" className="button small" onClick={drop}>
        {text.occurrences.anyMessages}
      </button>
    </div>
  );
}
