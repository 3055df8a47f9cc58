import { Link } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import type { ReactNode } from 'react';
import { useCan } from '../../../api/session';
import { Icon } from '../../../components/icon';
import { lazily } from '../../../components/lazily';
import { Rows } from '../../../components/skeleton';
import { text } from '../../../text/text';
import type { Wanted } from '../../event/tree/create-place';
import { stepsOf } from './steps';
import type { Step, StepName } from './steps';
import { useBegun } from './use-begun';
import type { Begun } from './use-begun';
import type { Triggered } from './use-start';
import './start.css';

const CreateChannel = lazily(() => import('../../channel/create-channel'), 'CreateChannel');
const CreatePlace = lazily(() => import('../../event/tree/create-place'), 'CreatePlace');
const TriggerDialog = lazily(() => import('../../event/trigger/trigger'), 'TriggerDialog');
const PersonDialog = lazily(() => import('../../person/person-dialog'), 'PersonDialog');

interface Props {
  org: string;
  triggered: Triggered;
  hide: () => void;
}

type Opened = { place: Wanted } | 'channel' | 'user' | 'trigger';

/** The first steps of an organization, up to a message that was received. */
export function Start({ org, triggered, hide }: Props) {
  const can = useCan();
  const begun = useBegun(org);
  const [opened, setOpened] = useState<Opened | null>(null);
  const close = () => setOpened(null);
  if (!begun) return <Rows count={7} />;
  const steps = stepsOf(begun, triggered);
  const next = steps.find(({ isDone, isPossible, needs }) => !isDone && isPossible && can(needs))?.name;
  const done = steps.filter(({ isDone }) => isDone).length;
  const isAll = done === steps.length;
  return (
    <section className="card start" aria-labelledby="start">
      <header className="row">
        <h2 id="start">{isAll ? text.start.all : text.start.title}</h2>
        <span className="soft" role="status">
          {text.start.done(done, steps.length)}
        </span>
        <span className="space" />
        <button className={isAll ? 'button primary' : 'button small plain'} onClick={hide}>
          {isAll ? text.start.finish : text.start.hide}
        </button>
      </header>
      <p className="soft">{isAll ? text.start.allHint : text.start.intro}</p>
      <ol className="start-steps">
        {steps.map((step) => (
          <StepRow key={step.name} step={step} isNext={step.name === next}>
            {can(step.needs) && <Action {...{ org, step, begun, triggered, isNext: step.name === next, setOpened }} />}
          </StepRow>
        ))}
      </ol>
      <Suspense>
        {typeof opened === 'object' && opened && <CreatePlace org={org} wanted={opened.place} onClose={close} stays />}
        {opened === 'channel' && <CreateChannel org={org} onClose={close} />}
        {opened === 'user' && <PersonDialog org={org} onClose={close} stays />}
        {opened === 'trigger' && begun.event && <TriggerDialog place={begun.event} onClose={close} />}
      </Suspense>
    </section>
  );
}

function StepRow({ step: { name, isDone }, isNext, children }: { step: Step; isNext: boolean; children: ReactNode }) {
  const { title, hint } = text.start.steps[name];
  return (
    <li className="start-step" data-done={isDone || undefined} aria-current={isNext ? 'step' : undefined}>
      <span className="start-tick">{isDone && <Icon name="check" />}</span>
      <div>
        <h3>
          {title}
          {isDone && <span className="hidden"> {text.start.ticked}</span>}
        </h3>
        {!isDone && <p className="soft">{hint}</p>}
      </div>
      {children}
    </li>
  );
}

interface ActionProps {
  org: string;
  step: Step;
  begun: Begun;
  triggered: Triggered;
  isNext: boolean;
  setOpened: (opened: Opened) => void;
}

/** What takes the step; of one that is done, what leads to what it made. */
function Action({ org, step: { name, isDone, isPossible }, begun, triggered, isNext, setOpened }: ActionProps) {
  const { project, application, event, channel } = begun;
  if (isDone && name === 'trigger' && !triggered.received)
    return (
      <button className="button small" aria-haspopup="dialog" onClick={() => setOpened('trigger')}>
        {text.start.again}
      </button>
    );
  if (isDone) return <Made {...{ org, name, channel }} occurrence={triggered.received} />;
  if (!isPossible) return null;
  const className = isNext ? 'button primary' : 'button';
  const button = (label: string, wanted: Opened) => (
    <button className={className} aria-haspopup="dialog" onClick={() => setOpened(wanted)}>
      {label}
    </button>
  );
  switch (name) {
    case 'project':
      return button(text.event.newProject, { place: {} });
    case 'event':
      return application
        ? button(text.event.newEvent, { place: application })
        : button(text.event.newApplication, { place: { prj: project } });
    case 'channel':
      return button(text.channel.create, 'channel');
    case 'user':
      return button(text.person.create, 'user');
    case 'notification':
      return (
        <Link className={className} to="/o/$org/events/$prj/$app/$evt" params={event!} search={{ rule: 'new' }}>
          {text.event.newRule}
        </Link>
      );
    case 'trigger':
      return button(text.event.trigger.open, 'trigger');
    case 'received':
      return (
        <Link
          className={className}
          to="/o/$org/occurrences/$occurrence"
          params={{ org, occurrence: triggered.latest! }}
          search={{}}
        >
          {text.start.follow}
        </Link>
      );
  }
}

interface MadeProps {
  org: string;
  name: StepName;
  channel: Begun['channel'];
  occurrence: string | undefined;
}

function Made({ org, name, channel, occurrence }: MadeProps) {
  if (name === 'channel' && channel)
    return (
      <Link className="button small" to="/o/$org/channels/$prj/$channel" params={{ org, ...channel }}>
        {text.start.test}
      </Link>
    );
  if (name === 'received' && occurrence)
    return (
      <Link className="button small" to="/o/$org/occurrences/$occurrence" params={{ org, occurrence }} search={{}}>
        {text.start.see}
      </Link>
    );
  return null;
}
