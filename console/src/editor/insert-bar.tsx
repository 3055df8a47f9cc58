import { useMemo, useRef } from 'react';
import { text } from '../text/text';
import type { EditorHandle } from './code-mirror';
import { InsertMenu } from './insert-menu';
import type { Insertion } from './insert-menu';
import { SNIPPETS } from './liquid-words';
import { FIELD_NAME } from './variable';
import type { Variable, Words } from './variable';

/** Which of several editors the menus write to: the one that had the focus last, or the first of `preferred` that exists. */
export function useInsertTarget(preferred: readonly string[]) {
  const handles = useRef(new Map<string, EditorHandle>());
  const focused = useRef<string>(null);
  return {
    /** The props that tell an editor's handle. */
    propsOf: (name: string) => ({
      onFocus: () => void (focused.current = name),
      onHandle: (handle: EditorHandle | null) =>
        void (handle ? handles.current.set(name, handle) : handles.current.delete(name)),
    }),
    insert(snippet: string) {
      const names = [focused.current ?? '', ...preferred].filter((name) => handles.current.has(name));
      handles.current.get(names[0] ?? '')?.insert(snippet);
    },
  };
}

const isItem = ({ name }: Variable) => name.includes('[]');

/** A list is shown by a loop over its items. */
function snippetOf({ name }: Variable, variables: readonly Variable[]): string {
  const field = variables.find((one) => one.name.startsWith(`${name}[].`))?.name.slice(name.length + 3);
  return field ? `{% for item in ${name} %}\n{{ item.${field} }}\n{% endfor %}` : `{{ ${name} }}`;
}

/** A field that no trigger has sent yet. */
const freshVariable = (typed: string): Insertion | null =>
  FIELD_NAME.test(typed)
    ? {
        label: typed,
        detail: text.editor.freshVariable,
        snippet: `{{ ${typed} }}`,
        group: text.editor.groups.context,
      }
    : null;

/** Menus of variables and of snippets. */
export function InsertBar({ words, onInsert }: { words: Words; onInsert: (snippet: string) => void }) {
  const { variables, partials } = words;
  const ofVariables = useMemo(
    () =>
      variables
        .filter((one) => !isItem(one))
        .map((one): Insertion => ({
          label: one.name,
          detail: one.sample,
          snippet: snippetOf(one, variables),
          group: text.editor.groups[one.group],
        })),
    [variables],
  );
  const snippets = Object.entries(SNIPPETS).map(([name, snippet]): Insertion => {
    const label = text.editor.snippets[name as keyof typeof SNIPPETS];
    return {
      label,
      detail: snippet.replaceAll(/\$\{(?:\d+:)?([^}]*)\}|\n/g, '$1'),
      snippet,
      group: text.editor.pieces,
    };
  });
  const ofPartials = partials.map((name): Insertion => ({
    label: name,
    detail: `{% render '${name}' %}`,
    snippet: `{% render '${name}' %}`,
    group: text.editor.partials,
  }));
  return (
    <div className="row insert-bar">
      <span className="label">{text.editor.insert}</span>
      <InsertMenu
        label={text.editor.variable}
        hint={text.editor.variableHint}
        insertions={ofVariables}
        onInsert={onInsert}
        freshOf={variables.some(({ group }) => group === 'layout') ? undefined : freshVariable}
      />
      <InsertMenu
        label={text.editor.snippet}
        hint={text.editor.snippetHint}
        insertions={[...snippets, ...ofPartials]}
        onInsert={onInsert}
      />
    </div>
  );
}
