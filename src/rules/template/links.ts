import type { RenderContext } from './template.js';

/** The links of a message, and why one may be empty in it although the service knows its own address. A context cannot fill them in. */
const WHY_EMPTY = {
  acknowledge_url: 'no step waits until it is acknowledged',
  acknowledge_code: 'no step waits until it is acknowledged',
  unsubscribe_url: 'the event has no category, or one that nobody can opt out of',
  mute_url: 'the notification has no thread, or its event no category that users can opt out of',
  preferences_url: '',
};

const isLink = (path: string): path is keyof typeof WHY_EMPTY => Object.hasOwn(WHY_EMPTY, path);

/** Links that a template needs and that are empty, as phrases: `the link acknowledge_url is empty: PUBLIC_URL of the service is not set`. */
export const emptyLinks = (needed: string[], context: RenderContext): string[] =>
  needed.filter(isLink).map((name) => `the link ${name} is empty: ${whyEmpty(name, context)}`);

export const withoutLinks = (paths: string[]): string[] => paths.filter((path) => !isLink(path));

function whyEmpty(name: keyof typeof WHY_EMPTY, { user, preferences_url: preferences }: RenderContext): string {
  if (user === null) return 'a post to a room has no links';
  return preferences === undefined ? 'PUBLIC_URL of the service is not set' : WHY_EMPTY[name];
}
