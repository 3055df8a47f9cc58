import type { FragmentUse } from '@carillon/client';
import { useState } from 'react';
import { usePathName } from '../../api/names';
import { MessageFrame } from '../../components/message-frame';
import { Problem } from '../../components/problem';
import { Rows } from '../../components/skeleton';
import { Field } from '../../form/field';
import { text } from '../../text/text';
import { useChannelNames } from '../channel/use-channels';
import type { FragmentPlace } from './place';
import type { FragmentPreviewed } from './use-fragment-preview';

interface Props {
  place: FragmentPlace;
  preview: FragmentPreviewed;
  /** Whether there is a published version that differs. */
  canCompare: boolean;
}

/** A message with the draft, or as it is published. */
export function FragmentPreview({ place: { org, kind }, preview, canCompare }: Props) {
  const {
    uses = [],
    shownIn,
    setShownIn,
    isBefore,
    setBefore,
    isPossible,
    isEmpty,
    data: answered,
    error,
    isFetching,
    faults,
  } = preview;
  const [asText, setAsText] = useState(false);
  // The last answer stays while the next one is on its way, but not when nothing is left to show.
  const data = isEmpty ? undefined : answered;
  const isText = asText || data?.html === '';
  const isFaulty = Object.keys(faults).length > 0;
  return (
    <section className="card stack" aria-label={text.rule.preview.title}>
      <div className="row">
        <h2>{text.rule.preview.title}</h2>
        <span className="space" />
        {canCompare && (
          <button type="button" className="button small" aria-pressed={isBefore} onClick={() => setBefore(!isBefore)}>
            {text.layout.before}
          </button>
        )}
        {data && data.html !== '' && (
          <button type="button" className="button small plain" onClick={() => setAsText(!asText)}>
            {asText ? text.rule.preview.asHtml : text.rule.preview.asText}
          </button>
        )}
      </div>
      <Field label={text.layout.shownIn}>
        <select
          className="input"
          value={shownIn}
          onChange={({ target: { value } }) => setShownIn(value === 'sample' ? value : Number(value))}
        >
          <option value="sample">{text.layout.sample.of[kind]}</option>
          {uses.map((use, i) => (
            <option key={i} value={i}>
              <UseName {...{ org, use }} />
            </option>
          ))}
        </select>
      </Field>
      <div className="stack" aria-busy={isFetching} aria-live="polite">
        {!isPossible && <p className="soft">{text.layout.noEvent}</p>}
        {isEmpty && <p className="soft">{text.rule.preview.empty}</p>}
        {error && (isFaulty ? <p className="note bad">{text.rule.preview.faulty}</p> : <Problem error={error} />)}
        {isPossible && !isEmpty && !data && !error && <Rows count={3} />}
        {data && (
          <div className="message" data-stale={error !== null || undefined}>
            {data.subject && <p className="message-subject">{data.subject}</p>}
            {isText ? <pre className="message-text">{data.text}</pre> : <MessageFrame html={data.html} />}
          </div>
        )}
      </div>
    </section>
  );
}

function UseName({ org, use }: { org: string; use: FragmentUse }) {
  const { project, application, event, name, channel } = use;
  const nameOf = useChannelNames(org, project);
  return text.layout.use(usePathName(org, `${project}/${application}/${event}`), name, nameOf(channel));
}
