import { autocompletion, closeBrackets, snippet } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { bracketMatching, syntaxHighlighting } from '@codemirror/language';
import { EditorState, Prec } from '@codemirror/state';
import { EditorView, drawSelection, highlightSpecialChars, keymap, lineNumbers } from '@codemirror/view';
import { classHighlighter } from '@lezer/highlight';
import { useEffect, useRef } from 'react';
import { nonce } from '../api/place';
import { text } from '../text/text';
import { liquidCompletion } from './completion';
import { faultMarks, placeOf, showFaults } from './fault';
import { languageOf } from './language';
import type { Language } from './language';
import { placesOf, showUnknown, unknownMarks } from './unknown';
import { NO_WORDS } from './variable';
import type { Words } from './variable';

/** What a menu beside the editor can do with it. */
export interface EditorHandle {
  /** Replaces the selection. `${name}` is a place to fill in. */
  insert: (snippet: string) => void;
}

export interface EditorProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  language: Language;
  /** What a template can use, offered while one types. */
  words?: Words;
  /** What is wrong with it. Messages that end with `line:2, col:7` are shown there. */
  faults?: string[];
  /** Names that the template uses and nobody knows. They are marked, and no error. */
  unknown?: string[];
  /** The id of the text that explains it. */
  describedBy?: string;
  /** The handle while there is an editor, then null. */
  onHandle?: (handle: EditorHandle | null) => void;
  onFocus?: () => void;
}

/** Tab indents; Escape and then Tab leaves the editor. */
const KEYS = keymap.of([...defaultKeymap, ...historyKeymap, indentWithTab]);

/** What the languages answer with more than was typed: Liquid adds a `%}`, and HTML a closing tag. */
const ANSWERED = ['%', '>', '/'];

/** In a template nothing is closed by itself: what is typed to close it would come on top. */
const asTyped = Prec.highest(
  EditorView.inputHandler.of((view, from, to, typed) => {
    if (!ANSWERED.includes(typed) || view.state.selection.ranges.length > 1) return false;
    const changes = { from, to, insert: typed };
    view.dispatch({
      changes,
      selection: { anchor: from + typed.length },
      userEvent: 'input.type',
      scrollIntoView: true,
    });
    return true;
  }),
);

const NONE: string[] = [];

export function CodeMirror(props: EditorProps) {
  const { label, value, language, faults = NONE, unknown = NONE, describedBy = '' } = props;
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const latest = useRef(props);
  latest.current = props;
  useEffect(() => {
    const editor = new EditorView({
      parent: place.current!,
      state: EditorState.create({
        doc: latest.current.value,
        extensions: [
          EditorView.cspNonce.of(nonce),
          [KEYS, history(), lineNumbers(), drawSelection(), highlightSpecialChars(), EditorView.lineWrapping],
          [bracketMatching(), syntaxHighlighting(classHighlighter), languageOf(language)],
          language === 'json'
            ? [closeBrackets(), autocompletion({ icons: false })]
            : [asTyped, liquidCompletion(() => latest.current.words ?? NO_WORDS)],
          [faultMarks, unknownMarks],
          EditorView.contentAttributes.of({
            'aria-label': label,
            // A long text scrolls: a test of accessibility wants to see that the keyboard reaches it.
            tabindex: '0',
            ...(describedBy && { 'aria-describedby': describedBy }),
          }),
          EditorView.updateListener.of((update) => {
            if (update.focusChanged && update.view.hasFocus) latest.current.onFocus?.();
            if (!update.docChanged) return;
            const typed = update.state.doc.toString();
            // A value that came from outside is not sent back.
            if (typed !== latest.current.value) latest.current.onChange(typed);
          }),
        ],
      }),
    });
    view.current = editor;
    latest.current.onHandle?.(handleOf(editor));
    return () => {
      latest.current.onHandle?.(null);
      editor.destroy();
    };
  }, [label, language, describedBy]);
  useEffect(() => {
    const { current: editor } = view;
    const shown = editor?.state.doc.toString();
    if (editor && shown !== value) editor.dispatch({ changes: { from: 0, to: shown!.length, insert: value } });
  }, [value]);
  // The same texts in a new list are no change: each would interrupt the typing.
  const marks = JSON.stringify([faults, unknown]);
  useEffect(() => {
    const [shownFaults, names] = JSON.parse(marks) as [string[], string[]];
    view.current?.dispatch({ effects: [showFaults.of(shownFaults), showUnknown.of(names)] });
  }, [marks, label, language, describedBy]);
  function goTo(at: number | null | undefined) {
    const { current: editor } = view;
    if (at !== null && at !== undefined) editor?.dispatch({ selection: { anchor: at }, scrollIntoView: true });
    editor?.focus();
  }
  const named = unknown.filter((name) => placesOf(name, value).length > 0);
  return (
    <div className="editor" data-invalid={faults.length > 0 || undefined}>
      <div ref={place} />
      <div role="alert">
        {faults.map((fault) => (
          <button
            key={fault}
            type="button"
            className="editor-fault"
            onClick={() => goTo(view.current && placeOf(fault, view.current.state.doc))}
          >
            {fault}
          </button>
        ))}
      </div>
      <div role="status">
        {named.map((name) => (
          <button
            key={name}
            type="button"
            className="editor-fault warn"
            onClick={() => goTo(placesOf(name, value)[0]?.from)}
          >
            {text.editor.unknown(name)}
          </button>
        ))}
      </div>
    </div>
  );
}

const handleOf = (editor: EditorView): EditorHandle => ({
  insert(template) {
    const { from, to } = editor.state.selection.main;
    if (template.includes('${')) snippet(template)(editor, null, from, to);
    else editor.dispatch(editor.state.replaceSelection(template), { scrollIntoView: true });
    editor.focus();
  },
});
