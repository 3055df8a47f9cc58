import type { OccurrenceDetail } from '@carillon/client';
import { Fragment } from 'react';
import { ChannelLink } from '../../../components/links';
import { text } from '../../../text/text';

/** What is not sent any more, because the occurrence is over or acknowledged. */
export function StoppedSteps({ org, occurrence: { project, steps } }: { org: string; occurrence: OccurrenceDetail }) {
  if (!steps || steps.stopped.length === 0) return null;
  return (
    <div>
      {text.occurrence.stopped}
      <ul className="stopped-steps">
        {steps.stopped.map(({ notification, step, channels, repeats }) => (
          <li key={`${notification} ${step}`}>
            {text.occurrence.stoppedStep(step)}{' '}
            {channels.map((channel, i) => (
              <Fragment key={channel}>
                {i > 0 && ', '}
                <ChannelLink org={org} project={project} slug={channel} />
              </Fragment>
            ))}{' '}
            ({notification}){repeats > 0 && `: ${text.occurrence.stoppedRepeats(repeats)}`}
          </li>
        ))}
      </ul>
    </div>
  );
}
