import { Link } from '@tanstack/react-router';
import { Time } from '../../components/time';
import { useMask } from '../../components/use-mask';
import { text } from '../../text/text';
import { counted } from './counted';
import type { Failing } from './use-failing';

const SHOWN = 5;

/** Each channel whose provider fails: since when, how many messages wait for it, and what the provider said. */
export function FailingChannels({ org, failing }: { org: string; failing: Failing[] }) {
  const mask = useMask();
  return (
    <ul className="switches failing">
      {failing.slice(0, SHOWN).map(({ health: { project, channel, failing_since: since }, waiting }) => (
        <li key={`${project}/${channel}`}>
          <span>
            <Link to="/o/$org/channels/$prj/$channel" params={{ org, prj: project ?? '-', channel }}>
              {project === null ? channel : `${project}/${channel}`}
            </Link>
            {waiting && `: ${text.now.waitingMessages(counted(waiting.waiting))}`}
            {since && (
              <span className="soft">
                , {text.now.failsSince} <Time at={since} />
              </span>
            )}
          </span>
          {waiting?.last_failure && <code className="answer-line">{mask(waiting.last_failure)}</code>}
        </li>
      ))}
    </ul>
  );
}
