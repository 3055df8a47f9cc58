import { ProblemError } from '@carillon/client';
import type { Previewed } from '@carillon/client';
import { useState } from 'react';
import { MessageFrame } from '../../../components/message-frame';
import { Problem } from '../../../components/problem';
import { Rows } from '../../../components/skeleton';
import { RichFacts } from '../../../components/rich-facts';
import { SenderFacts } from '../../../components/sender';
import { text } from '../../../text/text';
import { Checks } from './checks';
import { MailView } from './mail-view';
import { PhoneView } from './phone-view';

interface Props {
  /** Nothing is typed yet. */
  isEmpty: boolean;
  data: Previewed | undefined;
  error: Error | null;
  isFetching: boolean;
  /** The parts whose faults are shown at their editors. */
  shownParts: readonly string[];
  /** The name of the application, if phones and browsers show the message among their notifications; null: they do not. */
  app: string | null;
}

/** The message as this user would get it. */
export function Preview({ isEmpty, data, error, isFetching, shownParts, app }: Props) {
  if (isEmpty) return <p className="soft">{text.rule.preview.empty}</p>;
  const isShown = error instanceof ProblemError && Object.keys(error.errors).some((part) => shownParts.includes(part));
  return (
    <div className="stack" aria-busy={isFetching} aria-live="polite">
      {error && (isShown ? <p className="note bad">{text.rule.preview.faulty}</p> : <Problem error={error} />)}
      {!data && !error && <Rows count={3} />}
      {data && app === null && <MailView message={data} isStale={error !== null} />}
      {data && app !== null && <PhoneView message={data} app={app} isStale={error !== null} />}
      {data && !error && <Checks checks={data.checks} />}
    </div>
  );
}

/** A rendered message, in short. HTML is shown in a frame in which it can do nothing. */
export function Message({
  subject,
  text: plain,
  html,
  ...sender
}: Pick<
  Previewed,
  | 'subject'
  | 'text'
  | 'html'
  | 'from'
  | 'reply_to'
  | 'headers'
  | 'url'
  | 'image'
  | 'actions'
  | 'data'
  | 'template'
  | 'left_out'
>) {
  const [asText, setAsText] = useState(false);
  const isText = asText || html === '';
  return (
    <div className="message">
      {(sender.from || sender.reply_to || sender.headers) && (
        <dl className="facts">
          <SenderFacts {...sender} />
        </dl>
      )}
      {subject && <p className="message-subject">{subject}</p>}
      {isText ? <pre className="message-text">{plain}</pre> : <MessageFrame html={html} />}
      <RichFacts {...sender} />
      {html !== '' && plain !== '' && (
        <button type="button" className="button small plain" onClick={() => setAsText(!asText)}>
          {asText ? text.rule.preview.asHtml : text.rule.preview.asText}
        </button>
      )}
    </div>
  );
}
