import { Menu } from '@base-ui/react/menu';
import { useState } from 'react';
import { curlOf } from '../api/curl';
import type { Call } from '../api/curl';
import { queryClient } from '../api/query-client';
import { text } from '../text/text';
import { Icon } from './icon';
import { moreButton } from './more-button';
import type { MoreProps } from './more-menu';

/** The button of a menu and what it opens. */
export function MorePopup({ live, call, label, isSmall, isOpen }: MoreProps & { isOpen: boolean }) {
  return (
    <Menu.Root modal={false} defaultOpen={isOpen}>
      <Menu.Trigger {...moreButton(isSmall)}>
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
