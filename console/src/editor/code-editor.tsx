import { Suspense } from 'react';
import { lazily } from '../components/lazily';
import type { EditorProps } from './code-mirror';
import './editor.css';

const CodeMirror = lazily(() => import('./code-mirror'), 'CodeMirror');

/** An editor for templates and JSON. It is large, so it is loaded when a page first shows one. */
export function CodeEditor(props: EditorProps) {
  return (
    <Suspense fallback={<span className="skeleton editor-skeleton" />}>
      <CodeMirror {...props} />
    </Suspense>
  );
}
