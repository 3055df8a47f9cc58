import { lazy } from 'react';
import type { ComponentType } from 'react';

/** A component in a file of its own, which is read when it is first shown. */
export const lazily = <Name extends string, Props extends object>(
  load: () => Promise<Record<Name, ComponentType<Props>>>,
  name: Name,
) => lazy(async () => ({ default: (await load())[name] }));

let start: () => void;
const shown = new Promise<void>((resolve) => (start = resolve));

/** For a file that every page uses, but not to show itself: it is read once the first page is there and the browser has time. */
export const afterFirstPage =
  <File>(load: () => Promise<File>) =>
  () =>
    shown.then(load);

export function readTheRest(): void {
  // Safari has no idle callback.
  if ('requestIdleCallback' in window) requestIdleCallback(start, { timeout: 2_000 });
  else setTimeout(start, 300);
}
