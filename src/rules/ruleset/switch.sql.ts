import { Switch } from '../../platform/database/generated/prisma/enums.js';

/** Everything that can be switched off. Each kind has a table of its name. */
export const SWITCHES = Object.values(Switch);

/** One thing that is switched off. */
export type Off = [kind: Switch, id: number];

const firstOff = (tables: [kind: Switch, alias: string][]) =>
  `case ${tables.map(([kind, t]) => `when not ${t}.enabled then json_build_array('${kind}', ${t}.id)`).join(' ')} end`;

const ABOVE: [Switch, string][] = [
  ['project', 'p'],
  ['application', 'a'],
  ['event', 'e'],
];

/** The first of project `p`, application `a` and event `e` that is off; null when all are on. */
export const OFF_ABOVE = firstOff(ABOVE);

/** The same with a notification `n` and a channel `c`; either may have been deleted. */
export const OFF = firstOff([...ABOVE, ['notification', 'n'], ['channel', 'c']]);
