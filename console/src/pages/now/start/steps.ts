import { text } from '../../../text/text';
import type { Begun } from './use-begun';
import type { Triggered } from './use-start';

export type StepName = keyof typeof text.start.steps;

export interface Step {
  name: StepName;
  isDone: boolean;
  /** Whether what it needs exists. */
  isPossible: boolean;
  /** Without it, one may look on, but not take the step. */
  needs: string;
}

/** The way to the first message: each step is done when the API has what it makes. */
export function stepsOf(begun: Begun, { latest, received }: Triggered): Step[] {
  const { project, event, channel, user, isNotified } = begun;
  const hasEvent = event !== undefined;
  const [hasProject, hasChannel, hasUser] = [project !== undefined, channel !== undefined, user !== undefined];
  return [
    { name: 'project', isDone: hasProject, isPossible: true, needs: 'organization:write' },
    { name: 'event', isDone: hasEvent, isPossible: hasProject, needs: 'event:write' },
    { name: 'channel', isDone: hasChannel, isPossible: true, needs: 'channel:write' },
    { name: 'user', isDone: hasUser, isPossible: true, needs: 'user:write' },
    { name: 'notification', isDone: isNotified, isPossible: hasEvent && hasChannel, needs: 'notification:write' },
    { name: 'trigger', isDone: latest !== undefined, isPossible: isNotified, needs: 'event:trigger' },
    { name: 'received', isDone: received !== undefined, isPossible: latest !== undefined, needs: 'occurrence:read' },
  ];
}
