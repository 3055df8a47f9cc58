import { useState } from 'react';
import { useRoles } from '../../api/roles';
import { useSession } from '../../api/session';
import { text } from '../../text/text';
import { RoleChoice, choiceOf } from './role-choice';

interface Props {
  chosen: string[];
  onChange: (chosen: string[]) => void;
}

const TRIGGER = { name: 'trigger', label: text.key.trigger, hint: text.key.triggerHint };
const OTHER = { name: 'other', label: text.key.other, hint: text.key.otherHint };

const areSame = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((each) => other.includes(each));

/** A role, or single permissions; of those that the session has: nobody can give away more. */
export function PermissionChoice({ chosen, onChange }: Props) {
  const own: readonly string[] = useSession()?.permissions ?? [];
  const roles = useRoles() ?? [];
  const [isOther, setOther] = useState(false);
  const sets = new Map<string, readonly string[]>([
    ...(own.includes('event:trigger') ? [[TRIGGER.name, ['event:trigger']] as const] : []),
    ...roles.map(({ name, permissions }) => [name, permissions] as const),
  ]);
  const named = [...sets].find(([, permissions]) => areSame(permissions, chosen))?.[0] ?? null;
  const choose = (name: string) => {
    setOther(name === OTHER.name);
    const permissions = sets.get(name);
    if (permissions) onChange([...permissions]);
  };
  return (
    <>
      <RoleChoice
        legend={text.key.may}
        choices={[...(sets.has(TRIGGER.name) ? [TRIGGER] : []), ...roles.map(({ name }) => choiceOf(name)), OTHER]}
        chosen={isOther ? OTHER.name : named}
        onChoose={choose}
      />
      {isOther && <SinglePermissions own={own} chosen={chosen} onChange={onChange} />}
    </>
  );
}

/** Permissions by noun. */
function SinglePermissions({ own, chosen, onChange }: Props & { own: readonly string[] }) {
  const nouns = [...new Set(own.map((permission) => permission.split(':')[0]!))].toSorted();
  const turn = (permission: string) => onChange(own.filter((each) => chosen.includes(each) !== (each === permission)));
  return (
    <fieldset className="choices">
      <legend className="label">{text.key.permissions}</legend>
      <div className="row">
        <button type="button" className="button small" onClick={() => onChange([])}>
          {text.key.noPermission}
        </button>
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
