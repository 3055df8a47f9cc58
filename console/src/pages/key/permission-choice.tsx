import { useSession } from '../../api/session';
import { text } from '../../text/text';

interface Props {
  chosen: string[];
  onChange: (chosen: string[]) => void;
}

/** Common choices; each is offered as far as the session has it itself. */
const SETS: { label: string; has: (permission: string) => boolean }[] = [
  { label: text.key.sets.trigger, has: (permission) => permission === 'event:trigger' },
  { label: text.key.sets.read, has: (permission) => /:(read|list|ping)$/.test(permission) },
  { label: text.key.sets.all, has: () => true },
  { label: text.key.sets.none, has: () => false },
];

/** Permissions by noun, of those that the session has: nobody can give away more. */
export function PermissionChoice({ chosen, onChange }: Props) {
  const own: readonly string[] = useSession()?.permissions ?? [];
  const nouns = [...new Set(own.map((permission) => permission.split(':')[0]!))].toSorted();
  const turn = (permission: string) => onChange(own.filter((each) => chosen.includes(each) !== (each === permission)));
  return (
    <fieldset className="choices">
      <legend className="label">{text.key.permissions}</legend>
      <div className="row">
        {SETS.map(({ label, has }) => (
          <button key={label} type="button" className="button small" onClick={() => onChange(own.filter(has))}>
            {label}
          </button>
        ))}
        <span className="soft" aria-live="polite">
          {text.key.chosen(chosen.length)}
        </span>
      </div>
      <div className="permission-nouns">
        {nouns.map((noun) => (
          <fieldset key={noun} className="choices">
            <legend className="soft">{text.key.nouns[noun as keyof typeof text.key.nouns] ?? noun}</legend>
            {own
              .filter((permission) => permission.startsWith(`${noun}:`))
              .map((permission) => (
                <label key={permission} className="check">
                  <input type="checkbox" checked={chosen.includes(permission)} onChange={() => turn(permission)} />
                  <span>
                    {permission.split(':')[1]} <span className="hidden">{noun}</span>
                  </span>
                </label>
              ))}
          </fieldset>
        ))}
      </div>
    </fieldset>
  );
}
