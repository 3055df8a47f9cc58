import type { Previewed } from '@carillon/client';
import { useState } from 'react';
import { RichFacts } from '../../../components/rich-facts';
import { MessageFrame } from '../../../components/message-frame';
import type { Device } from '../../../components/message-frame';
import { useTheme } from '../../../shell/theme';
import { text } from '../../../text/text';
import { MailHead } from './mail-head';
import { Switch } from './switch';
import './preview.css';

const VIEWS = ['html', 'text', 'source'] as const;
type View = (typeof VIEWS)[number];

/** A message as its reader sees it: a mail with its head, on a desktop or a phone, light or dark; its text; its source. */
export function MailView({ message, isStale = false }: { message: Previewed; isStale?: boolean }) {
  const { html, text: plain, html_bytes: bytes, language } = message;
  const { theme } = useTheme();
  const [chosen, setView] = useState<View>('html');
  const [device, setDevice] = useState<Device>(() => (matchMedia('(max-width: 40rem)').matches ? 'phone' : 'desktop'));
  const [scheme, setScheme] = useState<'light' | 'dark'>(theme);
  const view = html === '' ? 'text' : chosen;
  return (
    <div className="mail" data-stale={isStale || undefined}>
      <MailHead message={message} />
      {html !== '' && (
        <div className="mail-tools">
          <Switch
            label={text.rule.preview.view}
            value={view}
            choices={VIEWS}
            onChoose={setView}
            names={text.rule.preview.views}
          />
          {view === 'html' && (
            <>
              <span className="space" />
              <Switch
                label={text.rule.preview.width}
                value={device}
                choices={['desktop', 'phone']}
                onChoose={setDevice}
                names={text.rule.preview.devices}
              />
              <Switch
                label={text.rule.preview.scheme}
                value={scheme}
                choices={['light', 'dark']}
                onChoose={setScheme}
                names={text.rule.preview.schemes}
              />
            </>
          )}
        </div>
      )}
      {view === 'html' && <MessageFrame html={html} device={device} isDark={scheme === 'dark'} />}
      {view === 'text' && <pre className="mail-text">{plain}</pre>}
      {view === 'source' && (
        // A long source scrolls, so the keyboard must reach it.
        <pre className="mail-text mail-source" tabIndex={0} aria-label={text.rule.preview.views.source}>
          {html}
        </pre>
      )}
      <RichFacts {...message} />
      {(html !== '' || language) && (
        <p className="mail-foot">
          {html !== '' && text.rule.preview.size(Math.max(1, Math.round(bytes / 1024)))}
          {language && ` ${text.rule.preview.language(language.sentence)}`}
        </p>
      )}
    </div>
  );
}
