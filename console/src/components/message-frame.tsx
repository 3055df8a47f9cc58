import { useEffect, useRef, useState } from 'react';
import { consoleUrl } from '../api/place';
import { text } from '../text/text';

const FRAME = new URL('message', consoleUrl).href;

/** Shows the HTML of a message in a sandboxed frame with a policy of its own (src/api/system/message-frame.ts): it can run, load and change nothing. */
export function MessageFrame({ html }: { html: string }) {
  const frame = useRef<HTMLIFrameElement>(null);
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
  }, []);
  useEffect(() => {
    // The frame has no origin that could be named.
    if (isReady) frame.current?.contentWindow?.postMessage({ html }, '*');
  }, [isReady, html]);
  return (
    <iframe
      ref={frame}
      className="message-frame"
      sandbox="allow-scripts"
      src={FRAME}
      title={text.message.frame}
      style={{ height }}
    />
  );
}
