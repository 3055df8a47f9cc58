import type { FailingChannel } from '@carillon/client';
import { ChannelPath } from '../../components/links';
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
            <ChannelPath org={org} path={project === null ? channel : `${project}/${channel}`} />
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
