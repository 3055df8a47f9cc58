import { useState } from 'react';
import { ChosenUsers } from './chosen-users';
import { Field } from './field';
import { PersonInput } from './person-input';

/** Users who are chosen one by one, or typed as usernames with commas or spaces between them. */
export function useUsers(given: readonly string[] = []) {
  const [chosen, setChosen] = useState(given);
  const [typed, setTyped] = useState('');
  return {
    ...{ chosen, typed, setTyped },
    names: [...new Set([...chosen, ...typed.split(/[\s,]+/).filter(Boolean)])],
    choose(username: string) {
      setChosen([...new Set([...chosen, username])]);
      setTyped('');
    },
    remove: (username: string) => setChosen(chosen.filter((one) => one !== username)),
  };
}

interface Props {
  org: string;
  users: ReturnType<typeof useUsers>;
  label: string;
  hint: string;
  error: Error | null;
  name: string;
  required?: boolean;
}

export function UsersField({ org, users, label, hint, error, name, required }: Props) {
  const { chosen, typed, setTyped, choose, remove } = users;
  return (
    <>
      <Field {...{ label, hint, error, name }}>
        <PersonInput
          org={org}
          value={typed}
          onType={setTyped}
          onPick={choose}
          required={required === true && chosen.length === 0}
        />
      </Field>
      <ChosenUsers users={chosen} onRemove={remove} />
    </>
  );
}
