interface Props<Choice extends string> {
  label: string;
  value: Choice;
  choices: readonly Choice[];
  onChoose: (choice: Choice) => void;
  names: Record<Choice, string>;
}

/** A few buttons of which one is pressed. */
export function Switch<Choice extends string>({ label, value, choices, onChoose, names }: Props<Choice>) {
  return (
    <div className="switch" role="group" aria-label={label}>
      {choices.map((choice) => (
        <button key={choice} type="button" aria-pressed={choice === value} onClick={() => onChoose(choice)}>
          {names[choice]}
        </button>
      ))}
    </div>
  );
}
