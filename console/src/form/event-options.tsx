import { useTree } from '../api/tree';

/** The events to choose from by their names, below their applications. `chosen` is shown, too, if it no longer exists. */
export function EventOptions({ org, chosen }: { org: string; chosen: string | undefined }) {
  const { events = [], applications = [], names = {} } = useTree(org).data ?? {};
  const isGone = chosen && !events.includes(chosen);
  return (
    <>
      {isGone && <option value={chosen}>{chosen}</option>}
      {applications.map((application) => (
        <optgroup key={application} label={`${names[application.split('/')[0]!]} / ${names[application]}`}>
          {events
            .filter((path) => path.startsWith(`${application}/`))
            .map((path) => (
              <option key={path} value={path}>
                {names[path]}
              </option>
            ))}
        </optgroup>
      ))}
    </>
  );
}
