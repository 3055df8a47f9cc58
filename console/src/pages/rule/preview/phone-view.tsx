import type { Previewed } from '@carillon/client';
import { useState } from 'react';
import { RichFacts } from '../../../components/rich-facts';
import { useTheme } from '../../../shell/theme';
import { text } from '../../../text/text';
import { Switch } from './switch';
import './phone.css';

const SIZES = ['whole', 'short'] as const;

interface Props {
  message: Previewed;
  /** The name of the application: a phone shows that of the app. */
  app: string;
  isStale?: boolean;
}

/** A push message among the notifications of a phone, unfolded or as a locked phone shows it. Nothing of it is loaded or followed here. */
export function PhoneView({ message, app, isStale = false }: Props) {
  const { subject, text: plain, image, actions, language } = message;
  const { phone, scheme: schemeLabel, schemes } = text.rule.preview;
  const { theme } = useTheme();
  const [size, setSize] = useState<(typeof SIZES)[number]>('whole');
  const [scheme, setScheme] = useState<'light' | 'dark'>(theme);
  return (
    <div className="mail" data-stale={isStale || undefined}>
      <div className="mail-tools">
        <Switch label={phone.size} value={size} choices={SIZES} onChoose={setSize} names={phone.sizes} />
        <span className="space" />
        <Switch label={schemeLabel} value={scheme} choices={['light', 'dark']} onChoose={setScheme} names={schemes} />
      </div>
      <div className="phone" data-scheme={scheme}>
        <article className="push" data-size={size} dir="auto" aria-label={phone.title}>
          <p className="push-head">
            <span className="push-icon" aria-hidden>
              {[...app][0]?.toUpperCase()}
            </span>
            <span className="push-app">{app}</span>
            <span className="push-time">{phone.now}</span>
          </p>
          {subject && <p className="push-title">{subject}</p>}
          {plain && <p className="push-text">{plain}</p>}
          {size === 'whole' && image && (
            <p className="push-image" title={image}>
              {phone.image(new URL(image).hostname)}
            </p>
          )}
          {size === 'whole' && actions && actions.length > 0 && (
            <ul className="push-actions">
              {actions.map(({ label, url }, i) => (
                <li key={i} title={url}>
                  {label}
                </li>
              ))}
            </ul>
          )}
        </article>
      </div>
      <RichFacts {...message} />
      {language && <p className="mail-foot">{text.rule.preview.language(language.sentence)}</p>}
    </div>
  );
}
