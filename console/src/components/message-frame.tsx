import { useEffect, useRef, useState } from 'react';
import type { RefObject } from 'react';
import { consoleUrl } from '../api/place';
import { text } from '../text/text';

const FRAME = new URL('message', consoleUrl).href;
const DESKTOP_PX = 720;
const PHONE_PX = 375;

/** Left out: as wide as there is room. */
export type Device = 'desktop' | 'phone';

/** Shows the HTML of a message in a sandboxed frame with a policy of its own (src/api/system/message-frame.ts): it can run, load and change nothing. */
export function MessageFrame({ html, device, isDark = false }: { html: string; device?: Device; isDark?: boolean }) {
  const room = useRef<HTMLDivElement>(null);
  const frame = useRef<HTMLIFrameElement>(null);
  const height = useFrame(frame, html, isDark);
  const available = useWidth(room);
  // The room may be narrower than the screen that is shown: then it is shown smaller.
  const width = device === 'phone' ? PHONE_PX : device === 'desktop' ? Math.max(available, DESKTOP_PX) : available;
  const scale = available > 0 && width > available ? available / width : 1;
  const size = device ? { width, height, transform: `scale(${scale})` } : { height };
  return (
    <div ref={room} className="message-room" data-device={device} style={device && { height: height * scale }}>
      <iframe
        ref={frame}
        className="message-frame"
        sandbox="allow-scripts"
        src={FRAME}
        title={text.message.frame}
        style={size}
      />
    </div>
  );
}

/** Gives the frame its message, and answers the height that it needs. */
function useFrame(frame: RefObject<HTMLIFrameElement | null>, html: string, isDark: boolean): number {
  const [isReady, setReady] = useState(false);
  const [height, setHeight] = useState(120);
  useEffect(() => {
    function onMessage({ source, data }: MessageEvent<{ ready?: boolean; height?: number }>) {
      if (source !== frame.current?.contentWindow) return;
      if (data.ready) setReady(true);
      if (typeof data.height === 'number') setHeight(Math.min(Math.max(data.height, 60), 2_000));
    }
    addEventListener('message', onMessage);
    return () => removeEventListener('message', onMessage);
  }, [frame]);
  useEffect(() => {
    // The frame has no origin that could be named.
    if (isReady) frame.current?.contentWindow?.postMessage({ html, isDark }, '*');
  }, [frame, isReady, html, isDark]);
  return height;
}

function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => setWidth(entry!.contentRect.width));
    observer.observe(element.current!);
    return () => observer.disconnect();
  }, [element]);
  return width;
}
