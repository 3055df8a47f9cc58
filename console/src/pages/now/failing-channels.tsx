import type { FailingChannel } from '@carillon/client';
import { Link } from '@tanstack/react-router';
import { Time } from '../../components/time';
import { useMask } from '../../components/use-mask';
import { text } from '../../text/text';
import { counted } from './counted';

/** Each channel whose provider fails: since when, how many messages wait for it, and what the provider said. */
export function FailingChannels({ org, failing }: { org: string; failing: FailingChannel[] }) {
  const mask = useMask();
  return (
    <ul className="switches failing">
      {failing.map(({ project, channel, failing_since: since, waiting, last_failure: answer }) => (
        <li key={`${project}/${channel}`}>
          <span>
            <Link to="/o/$org/channels/$prj/$channel" params={{ org, prj: project ?? '-', channel }}>
              {project === null ? channel : `${project}/${channel}`}
            </Link>
            {`: ${text.now.waitingMessages(counted(waiting))}`}
            {since && (
              <span className="soft">
                , {text.now.failsSince} <Time at={since} />
              </span>
            )}
          </span>
          {answer && <code className="answer-line">{mask(answer)}</code>}
        </li>
      ))}
    </ul>
  );
}
