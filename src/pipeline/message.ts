import type { Message } from '../dispatcher/dispatcher.js';
import type { RenderContext, RenderedMessage } from '../notification/template.js';

type Named = { slug: string; name: string };

/** What all messages of a chunk are about. */
export interface Subject {
  occurrence: string;
  createdAt: Date;
  context: Record<string, unknown>;
  event: Named;
  application: Named;
  project: Named;
  organization: Named;
  channel: Named & { type: string };
}

/** A delivery, and the person it is for as they stand now. */
export interface Person {
  id: string;
  attempts: number;
  attemptsBefore: number;
  pendingSince: Date;
  userId: number;
  address: string | null;
  /** None when the user was deleted. */
  email: string | null;
  firstName: string;
  lastName: string;
  locked: boolean;
  customFields: Record<string, unknown>;
}

/** What a template knows. The shared parts are the same objects for everyone, so that they are handed over once. */
export function renderContexts(subject: Subject, people: Person[]): RenderContext[] {
  const { occurrence: id, createdAt, ...shared } = subject;
  const occurrence = { id, created_at: createdAt.toISOString() };
  return people.map(({ email, firstName, lastName, customFields }) => ({
    ...shared,
    occurrence,
    user: { email, username: email, first_name: firstName, last_name: lastName, custom_fields: customFields },
  }));
}

export function messageFor(subject: Subject, { id, address, email }: Person, rendered: RenderedMessage): Message {
  const { occurrence, organization, project, application, event } = subject;
  return {
    id: `${occurrence}.${id}`,
    to: address ?? '',
    ...rendered,
    about: {
      occurrence,
      organization: organization.slug,
      project: project.slug,
      application: application.slug,
      event: event.slug,
      user: email ?? '',
    },
  };
}

/** What decides, at the last moment, against a message that was to be sent. */
export function lateGate({ locked }: Person, expiresAt: Date | null, now: Date): 'locked' | 'expired' | null {
  if (expiresAt !== null && expiresAt <= now) return 'expired';
  return locked ? 'locked' : null;
}

/** Why this person cannot be sent anything any more, if so. */
export function missing({ email, address }: Person, addressKind: string | null): string | null {
  if (email === null) return 'the user was deleted';
  return addressKind !== null && address === null ? 'the address was deleted' : null;
}
