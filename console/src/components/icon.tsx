import { ICON_PATHS } from './icon-paths';
import type { IconName } from './icon-paths';

/** A sign beside words, in their colour. It says nothing of its own: a screen reader skips it. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 20 20" aria-hidden="true" focusable="false">
      <path d={ICON_PATHS[name]} />
    </svg>
  );
}
