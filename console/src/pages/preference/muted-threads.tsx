import type { ChangePreferences, Preferences } from '@carillon/client';
import { Time } from '../../components/time';
import { text } from '../../text/text';

interface Props {
  threads: Preferences['muted_threads'];
  choose: ((change: ChangePreferences) => void) | null;
}

/** What the user has muted, such as one incident. */
export function MutedThreads({ threads, choose }: Props) {
  if (threads.length === 0) return null;
  return (
    <section className="stack" aria-label={text.person.muted}>
      <h3>{text.person.muted}</h3>
      <table className="table">
        <tbody>
          {threads.map(({ application, thread, value, ends_at: end }) => (
            <tr key={JSON.stringify([application, thread, value])}>
              <th scope="row">
                {value}
                <span className="soft">{`${application} · ${thread}`}</span>
              </th>
              <td>
                {text.person.mutedUntil} <Time at={end} />
              </td>
              <td>
                {choose && (
                  <button
                    className="button"
                    aria-label={text.person.unmuteOf(value)}
                    onClick={() => choose({ muted_threads: [{ application, thread, value, muted: false }] })}
                  >
                    {text.person.unmute}
                  </button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
