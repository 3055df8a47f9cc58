import { text } from '../text/text';

/** Says how fresh a page is: it follows changes as they happen, asks every 10 seconds, or has lost the service. */
export function LiveBadge({ state }: { state: 'live' | 'polled' | 'lost' }) {
  return (
    <span className="live-badge" data-state={state}>
      {text.live[state]}
    </span>
  );
}
