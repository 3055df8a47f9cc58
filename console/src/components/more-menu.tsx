import { Menu } from '@base-ui/react/menu';
import { useState } from 'react';
import { curlOf } from '../api/curl';
import type { Call } from '../api/curl';
import { queryClient } from '../api/query-client';
import { text } from '../text/text';
import { Icon } from './icon';
import { LiveBadge } from './live-badge';

interface Props {
  /** How fresh the page is. A lost connection is said beside the button, too, and so is a page that follows changes. */
  live?: 'live' | 'polled' | 'lost';
  /** The API call behind the page. */
  call?: Call;
  label?: string;
  /** Of a part of a page, or of a dialog. */
  isSmall?: boolean;
}

/** What few people need of a page, behind a quiet button: how fresh it is, a fresh look now, and its API call. */
export function MoreMenu({ live, call, label, isSmall }: Props) {
  return (
    <>
      {live && live !== 'polled' && <LiveBadge state={live} />}
      <Menu.Root modal={false}>
        <Menu.Trigger
          className={isSmall ? 'button small plain sign' : 'button plain sign'}
          aria-label={text.more.open}
          title={text.more.open}
        >
          <Icon name="more" />
        </Menu.Trigger>
        <Menu.Portal>
          <Menu.Positioner className="menu-place" side="bottom" align="end" sideOffset={4} collisionPadding={8}>
            <Menu.Popup className="menu">
              {live && (
                <Menu.Group>
                  <Menu.GroupLabel className="menu-label">{text.live[live]}</Menu.GroupLabel>
                  <Menu.Item className="menu-item" onClick={() => void queryClient.refetchQueries({ type: 'active' })}>
                    <Icon name="refresh" /> {text.more.refresh}
                  </Menu.Item>
                </Menu.Group>
              )}
              {call && <CurlItem call={call} label={label ?? text.curl.copy} />}
            </Menu.Popup>
          </Menu.Positioner>
        </Menu.Portal>
      </Menu.Root>
    </>
  );
}

function CurlItem({ call, label }: { call: Call; label: string }) {
  const [copied, setCopied] = useState<string | null>(null);
  async function copy() {
    try {
      await navigator.clipboard.writeText(curlOf(call));
      setCopied(text.curl.copied);
    } catch {
      // Without https, browsers offer no clipboard: the line is shown instead.
      setCopied(curlOf(call));
    }
    setTimeout(() => setCopied(null), 4_000);
  }
  return (
    <Menu.Item className="menu-item" closeOnClick={false} onClick={() => void copy()} title={curlOf(call)}>
      <Icon name={copied === text.curl.copied ? 'check' : 'copy'} />
      <span aria-live="polite">{copied ?? label}</span>
    </Menu.Item>
  );
}
