import type { Simulation } from '@carillon/client';

/** How many messages the later steps and repetitions send at most: of all notifications, or of the one with this name. */
export function laterMessages(
  { rules, time_line: line }: Pick<Simulation, 'rules' | 'time_line'>,
  name?: string,
): number {
  const later = line.filter(({ notification, after }) => after !== null && notification === (name ?? notification));
  const counts = later.flatMap(({ notification, channels }) => {
    const rule = rules.find((one) => one.notification === notification);
    return channels.map((slug) => rule?.channels.find(({ channel }) => channel === slug)?.send ?? 0);
  });
  return counts.reduce((sum, count) => sum + count, 0);
}
