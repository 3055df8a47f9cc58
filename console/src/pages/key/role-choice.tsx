import { useId } from 'react';
import { text } from '../../text/text';

export interface Choice {
  name: string;
  label: string;
  hint: string;
}

interface Props {
  legend: string;
  choices: Choice[];
  /** Null: none of them. */
  chosen: string | null;
  onChoose: (name: string) => void;
}

/** Roles, each with a sentence that says what it may do. */
export function RoleChoice({ legend, choices, chosen, onChoose }: Props) {
  const id = useId();
  return (
    <fieldset className="choices">
      <legend className="label">{legend}</legend>
      {choices.map(({ name, label, hint }) => (
        <label key={name} className="check">
          <input type="radio" name={id} required checked={chosen === name} onChange={() => onChoose(name)} />
          <span>
            {label} <span className="soft">{hint}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

export const choiceOf = (name: keyof typeof text.role.names): Choice => ({
  ...{ name, label: text.role.names[name], hint: text.role.hints[name] },
});
