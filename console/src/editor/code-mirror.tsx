import { autocompletion, closeBrackets } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { bracketMatching, syntaxHighlighting } from '@codemirror/language';
import { EditorState, Prec } from '@codemirror/state';
import { EditorView, drawSelection, highlightSpecialChars, keymap, lineNumbers } from '@codemirror/view';
import { classHighlighter } from '@lezer/highlight';
import { useEffect, useRef } from 'react';
import { nonce } from '../api/place';
import { languageOf } from './language';
import type { Language } from './language';
import { faultMarks, placeOf, showFaults } from './fault';

export interface EditorProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  language: Language;
  /** The names that a template can use, offered while one types. */
  names?: string[];
  /** What is wrong with it. Messages that end with `line:2, col:7` are shown there. */
  faults?: string[];
  /** The id of the text that explains it. */
  describedBy?: string;
}

/** Tab indents; Escape and then Tab leaves the editor. */
const KEYS = keymap.of([...defaultKeymap, ...historyKeymap, indentWithTab]);

/** In a template nothing is closed by itself: Liquid would add a `%}` after `{%`, and the one that is typed would come on top of it. */
const asTyped = Prec.highest(
  EditorView.inputHandler.of((view, from, to, typed) => {
    if (typed !== '%' || view.state.selection.ranges.length > 1) return false;
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

export function CodeMirror({
  label,
  value,
  onChange,
  language,
  names = NONE,
  faults = NONE,
  describedBy = '',
}: EditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const latest = useRef({ value, onChange });
  latest.current = { value, onChange };
  const known = names.join(' ');
  useEffect(() => {
    const editor = new EditorView({
      parent: place.current!,
      state: EditorState.create({
        doc: latest.current.value,
        extensions: [
          EditorView.cspNonce.of(nonce),
          [KEYS, history(), lineNumbers(), drawSelection(), highlightSpecialChars(), EditorView.lineWrapping],
          [bracketMatching(), autocompletion({ icons: false }), syntaxHighlighting(classHighlighter)],
          language === 'json' ? closeBrackets() : asTyped,
          languageOf(language, known ? known.split(' ') : []),
          faultMarks,
          EditorView.contentAttributes.of({
            'aria-label': label,
            ...(describedBy && { 'aria-describedby': describedBy }),
          }),
          EditorView.updateListener.of((update) => {
            if (!update.docChanged) return;
            const typed = update.state.doc.toString();
            // A value that came from outside is not sent back.
            if (typed !== latest.current.value) latest.current.onChange(typed);
          }),
        ],
      }),
    });
    view.current = editor;
    return () => editor.destroy();
  }, [label, language, known, describedBy]);
  useEffect(() => {
    const { current: editor } = view;
    const shown = editor?.state.doc.toString();
    if (editor && shown !== value) editor.dispatch({ changes: { from: 0, to: shown!.length, insert: value } });
  }, [value]);
  useEffect(() => {
    view.current?.dispatch({ effects: showFaults.of(faults) });
  }, [faults, label, language, known, describedBy]);
  return (
    <div className="editor" data-invalid={faults.length > 0 || undefined}>
      <div ref={place} />
      {faults.map((fault) => (
        <button
          key={fault}
          type="button"
          className="editor-fault"
          role="alert"
          onClick={() => {
            const { current: editor } = view;
            const at = editor && placeOf(fault, editor.state.doc);
            if (at !== null && at !== undefined) editor!.dispatch({ selection: { anchor: at }, scrollIntoView: true });
            editor?.focus();
          }}
        >
          {fault}
        </button>
      ))}
    </div>
  );
}
