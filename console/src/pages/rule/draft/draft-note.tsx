import { useEffect, useState } from 'react';
import { Problem } from '../../../components/problem';
import { Time } from '../../../components/time';
import { Compare } from '../../../compare/compare';
import { Confirm } from '../../../form/confirm';
import { text } from '../../../text/text';
import { useChannelNames } from '../../channel/use-channels';
import type { EventPlace } from '../../event/place';
import { changedParts, partsOf } from '../parts';
import { bothOf, toContent } from './content';
import type { Saved } from './content';
import type { Draft } from './draft';

/** Whose draft it is and whether it is saved, and what to do about it. */
export function DraftNote({ place, draft }: { place: EventPlace; draft: Draft }) {
  const { state } = draft;
  const { phase, edits, saved, problem } = state;
  useUnloadWarning(phase !== 'saved' && edits !== null);
  if (phase === 'conflict') return edits ? <Conflict {...{ place, draft }} /> : <Other draft={draft} />;
  if (!edits) return null;
  return (
    <div className="stack">
      <div className="row draft-note">
        <span className="soft" role="status">
          {phase === 'saved' && saved ? <By saved={saved} /> : text.rule.draft[unsavedOf(draft)]}
        </span>
        <Discard draft={draft} />
      </div>
      {problem && <Problem error={problem} />}
    </div>
  );
}

function unsavedOf({ isShared, state: { problem } }: Draft): 'own' | 'failed' | 'saving' {
  if (!isShared) return 'own';
  return problem ? 'failed' : 'saving';
}

const By = ({ saved: { by, at } }: { saved: Saved }) => (
  <>
    {text.rule.draft.by(by)} <Time at={at} />. {text.rule.draft.hint}
  </>
);

function Discard({ draft }: { draft: Draft }) {
  const [isAsked, setAsked] = useState(false);
  return (
    <>
      <button className="button small" onClick={() => setAsked(true)}>
        {text.rule.draft.discard}
      </button>
      {isAsked && (
        <Confirm
          title={text.rule.draft.ask}
          action={text.rule.draft.discardAction}
          onClose={() => setAsked(false)}
          onConfirm={() => {
            setAsked(false);
            draft.discard();
          }}
          isPending={false}
          error={null}
        >
          {text.rule.draft.askText}
        </Confirm>
      )}
    </>
  );
}

/** Two have edited: nothing is saved until one of them decides. */
function Conflict({ place, draft: { state, saver } }: { place: EventPlace; draft: Draft }) {
  const nameOf = useChannelNames(place.org, place.prj);
  const { theirs } = state;
  const mine = state.edits!;
  const both = theirs && bothOf(mine, theirs.edits);
  const [before, after] = [theirs && toContent(theirs.edits.rule), toContent(mine.rule)];
  const names = theirs ? changedParts(before, after, nameOf) : [];
  const [theirParts, myParts] = [partsOf(before, nameOf), partsOf(after, nameOf)];
  return (
    <div className="note warn stack" role="alert">
      <strong>{theirs ? text.rule.draft.conflict(theirs.by) : text.rule.draft.gone}</strong>
      {names.map((name) => (
        <Compare key={name} label={name} before={theirParts[name] ?? ''} after={myParts[name] ?? ''} />
      ))}
      <div className="row">
        {both && (
          <button className="button small primary" onClick={() => saver.keepMine(both)}>
            {text.rule.draft.both}
          </button>
        )}
        <button className="button small" onClick={() => saver.keepMine()}>
          {theirs ? text.rule.draft.mine : text.rule.draft.again}
        </button>
        <button className="button small danger" onClick={() => saver.takeTheirs()}>
          {theirs ? text.rule.draft.theirs : text.rule.draft.drop}
        </button>
      </div>
    </div>
  );
}

/** Somebody else has a draft, and this page shows what is published. */
function Other({ draft: { state, saver } }: { draft: Draft }) {
  if (!state.theirs) return null;
  return (
    <div className="row draft-note">
      <span className="soft">
        {text.rule.draft.by(state.theirs.by)} <Time at={state.theirs.at} />
      </span>
      <button className="button small" onClick={() => saver.takeTheirs()}>
        {text.rule.draft.open}
      </button>
    </div>
  );
}

/** The browser asks before a tab is closed whose edits are not saved. */
function useUnloadWarning(isUnsaved: boolean) {
  useEffect(() => {
    if (!isUnsaved) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isUnsaved]);
}
