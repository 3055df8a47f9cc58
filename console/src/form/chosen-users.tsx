import { text } from '../text/text';

interface Props {
  /** Usernames. */
  users: readonly string[];
  onRemove: (username: string) => void;
}

/** The users who were chosen one by one. */
export function ChosenUsers({ users, onRemove }: Props) {
  if (users.length === 0) return null;
  return (
    <ul className="chosen-users">
      {users.map((username) => (
        <li key={username}>
          <span>{username}</span>
          <button
            type="button"
            className="button small"
            aria-label={text.alerts.remove(username)}
            onClick={() => onRemove(username)}
          >
            {text.alerts.removeShort}
          </button>
        </li>
      ))}
    </ul>
  );
}
