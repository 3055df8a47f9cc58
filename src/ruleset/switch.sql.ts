import { Switch } from '../generated/prisma/enums.js';

/** What can be switched off; each is kept in the table of its name. */
export const SWITCHES = Object.values(Switch);

/** Something that is switched off. */
export type Off = [kind: Switch, id: number];

const firstOff = (tables: [kind: Switch, alias: string][]) =>
  `case ${tables.map(([kind, t]) => `when not ${t}.enabled then json_build_array('${kind}', ${t}.id)`).join(' ')} end`;

const ABOVE: [Switch, string][] = [
  ['project', 'p'],
  ['application', 'a'],
  ['event', 'e'],
];

/** The first that is off of an event `e` and its parents `a` and `p`; null when all are on. */
export const OFF_ABOVE = firstOff(ABOVE);

/** The same with a notification `n` and a channel `c`, which may have been deleted. */
export const OFF = firstOff([...ABOVE, ['notification', 'n'], ['channel', 'c']]);
