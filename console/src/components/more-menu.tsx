import { Suspense, useState } from 'react';
import type { Call } from '../api/curl';
import { Icon } from './icon';
import { afterFirstPage, lazily } from './lazily';
import { LiveBadge } from './live-badge';
import { moreButton } from './more-button';

export interface MoreProps {
  /** How fresh the page is. A lost connection is said beside the button, too, and so is a page that follows changes. */
  live?: 'live' | 'polled' | 'lost';
  /** The API call behind the page. */
  call?: Call;
  label?: string;
  /** Of a part of a page, or of a dialog. */
  isSmall?: boolean;
}

// Menus are an eighth of the scripts of the first page.
const MorePopup = lazily(
  afterFirstPage(() => import('./more-popup')),
  'MorePopup',
);

/** What few people need of a page, behind a quiet button: how fresh it is, a fresh look now, and its API call. */
export function MoreMenu(props: MoreProps) {
  const { live, isSmall } = props;
  const [isOpen, setOpen] = useState(false);
  const early = (
    <button
      type="button"
      {...moreButton(isSmall)}
      aria-haspopup="menu"
      aria-expanded={isOpen}
      onClick={() => setOpen(true)}
    >
      <Icon name="more" />
    </button>
  );
  return (
    <>
      {live && live !== 'polled' && <LiveBadge state={live} />}
      <Suspense fallback={early}>
        <MorePopup {...props} isOpen={isOpen} />
      </Suspense>
    </>
  );
}
