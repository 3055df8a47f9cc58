import { text } from '../text/text';

/** The control that stops things, on every page. */
export function StopControl({ org }: { org: string }) {
  return (
    <button className="button danger" data-org={org}>
      {text.stop.open}
    </button>
  );
}
