import type { Fragment } from '@carillon/client';
import { Link } from '@tanstack/react-router';
import { useId, useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import { useCan } from '../../api/session';
import { seenOf } from '../../api/edit';
import { Badge } from '../../components/badge';
import { CopyCurl } from '../../components/curl';
import { CodeEditor } from '../../editor/code-editor';
import { InsertBar, useInsertTarget } from '../../editor/insert-bar';
import { FormatChoice } from '../../form/format-choice';
import { LeaveForm } from '../../form/leave-form';
import { useProjectNames } from '../../api/names';
import { text } from '../../text/text';
import { useMessageKeys } from '../rule/use-message-keys';
import { usePartials } from '../rule/use-partials';
import { inMjml } from '../rule/parts';
import { unknownNames, variablesOfLayout } from '../rule/variables';
import { curlPath } from './calls';
import { PARTS, draftOf } from './fragment-draft';
import type { FragmentDraft } from './fragment-draft';
import { FragmentPreview } from './fragment-preview';
import { FragmentUses } from './fragment-uses';
import type { FragmentPlace } from './place';
import { PublishFragment } from './publish-fragment';
import { RemoveFragment } from './remove-fragment';
import { useFragmentPreview } from './use-fragment-preview';

interface Props {
  place: FragmentPlace;
  /** As it is stored, or what a new one starts as. */
  saved: Fragment;
  isNew: boolean;
  /** False: it is built in, or new. */
  isStored: boolean;
}

const FORMATS = ['html', 'mjml'] as const;
type Format = (typeof FORMATS)[number];

/** HTML and text of a layout or a partial, beside a message that uses it. */
export function FragmentEditor({ place, saved, isNew, isStored }: Props) {
  const { prj, kind } = place;
  const id = useId();
  const can = useCan();
  const mayWrite = can('notification:write', prj === null ? 'organization' : 'project');
  const [typed, setTyped] = useState<Partial<FragmentDraft>>({});
  // What was shown when one began to type: publishing replaces this version, and no other.
  const [seen, setSeen] = useState(() => seenOf(saved));
  const [dialog, setDialog] = useState<'publish' | 'delete' | 'published' | null>(null);
  // Null: nothing is edited, and the format is that of the saved version.
  const [chosen, setChosen] = useState<Format | null>(null);
  const format = chosen ?? (saved.mjml === null ? 'html' : 'mjml');
  const all = { ...draftOf(saved), ...typed };
  // What was typed in the other format comes back when one chooses it again.
  const draft = format === 'html' ? { ...all, mjml: '' } : { ...all, html: '' };
  const isDirty = PARTS.some((part) => draft[part] !== draftOf(saved)[part]);
  const partials = usePartials(place.org, prj);
  const messages = useMessageKeys(place.org, prj);
  const words = useMemo(() => ({ variables: variablesOfLayout(kind), partials, messages }), [kind, partials, messages]);
  const target = useInsertTarget(PARTS);
  const preview = useFragmentPreview(place, draft, isStored);
  const unknown = unknownNames(preview.data, words.variables);
  function edit(change: Partial<FragmentDraft>) {
    if (!isDirty) setSeen(seenOf(saved));
    setTyped({ ...typed, ...change });
    setChosen(format);
  }
  function startOver(next: typeof dialog) {
    setTyped({});
    setChosen(null);
    setDialog(next);
  }
  function turnInto(next: Format) {
    if (next === 'mjml' && all.mjml === '') edit({ mjml: inMjml('{{ content }}') });
    setChosen(next);
  }
  return (
    <div className="page">
      <LeaveForm isDirty={isDirty && dialog !== 'delete'} />
      <Head {...{ place, isNew, isStored, isDirty }}>
        {isStored && mayWrite && (
          <button className="button danger" onClick={() => setDialog('delete')}>
            {text.layout.delete}
          </button>
        )}
        {mayWrite && (
          <button
            className="button primary"
            disabled={!isDirty && !isNew}
            title={isDirty || isNew ? undefined : text.rule.publish.unchanged}
            onClick={() => setDialog('publish')}
          >
            {text.rule.publish.open}
          </button>
        )}
      </Head>
      {dialog === 'published' && !isDirty && (
        <p className="note good" role="status">
          {text.layout.published}
        </p>
      )}
      {!isStored && !isNew && <p className="note">{text.layout.builtInNote}</p>}
      {isNew && <p className="note">{text.layout.newNote[kind]}</p>}
      <div className="workbench">
        <div className="card form">
          {kind === 'layout' && <FormatChoice formats={FORMATS} format={format} onChoose={turnInto} />}
          <InsertBar words={words} onInsert={target.insert} />
          {([format, 'text'] as const).map((part) => (
            <div className="field" key={part} data-part={part}>
              <span className="label">{text.rule.parts[part]}</span>
              <CodeEditor
                label={text.rule.parts[part]}
                value={draft[part]}
                onChange={(value) => edit({ [part]: value })}
                language={part === 'text' ? part : 'html'}
                words={words}
                faults={preview.faults[part]}
                unknown={unknown}
                describedBy={`${id}-${part}`}
                {...target.propsOf(part)}
              />
              <span className="hint" id={`${id}-${part}`}>
                {part === 'mjml' ? text.layout.mjmlHint : text.layout.hints[kind][part]}
              </span>
            </div>
          ))}
        </div>
        <div className="stack">
          <FragmentPreview place={place} preview={preview} canCompare={isStored && isDirty} />
          <FragmentUses place={place} />
        </div>
      </div>
      {dialog === 'publish' && (
        <PublishFragment
          {...{ place, saved, draft, seen, isNew }}
          onClose={() => setDialog(null)}
          onDone={() => startOver('published')}
          onReload={() => startOver(null)}
        />
      )}
      {dialog === 'delete' && <RemoveFragment place={place} saved={saved} onClose={() => setDialog(null)} />}
    </div>
  );
}

interface HeadProps {
  place: FragmentPlace;
  isNew: boolean;
  isStored: boolean;
  isDirty: boolean;
  children: ReactNode;
}

function Head({ place, isNew, isStored, isDirty, children }: HeadProps) {
  const { org, prj, kind, slug } = place;
  const nameOf = useProjectNames(org);
  return (
    <div>
      <p className="soft">
        <Link to="/o/$org/layouts" params={{ org }} search={{}}>
          {text.pages.layouts}
        </Link>{' '}
        / {prj === null ? text.channel.organization : text.channel.project(nameOf(prj))}
      </p>
      <div className="head">
        <div className="head-title">
          <h1>{slug}</h1>
          <Badge tone="idle">{text.layout.kinds[kind]}</Badge>
          {(isDirty || isNew) && <Badge tone="accent">{text.rule.unsaved}</Badge>}
        </div>
        {isStored && <CopyCurl call={{ path: curlPath(place) }} />}
        {children}
      </div>
    </div>
  );
}
