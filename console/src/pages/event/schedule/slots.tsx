import type { ReactNode } from 'react';
import { locale } from '../../../text/language';
import { text } from '../../../text/text';

const YOURS = Intl.DateTimeFormat().resolvedOptions().timeZone;

const clockIn = (timeZone: string) =>
  new Intl.DateTimeFormat(locale, {
    ...({ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' } as const),
    ...({ hour: '2-digit', minute: '2-digit', timeZone } as const),
  });

/** Null if the browser does not know the zone. */
function clockOf(zone: string): Intl.DateTimeFormat | null {
  try {
    return clockIn(zone);
  } catch {
    return null;
  }
}

interface Props<Item> {
  label: string;
  /** The zone of the schedule. */
  zone: string;
  items: Item[];
  slotOf: (item: Item) => string;
  /** Another column, such as what became of a slot. */
  more?: { name: string; cell: (item: Item) => ReactNode };
}

/** Slots of a schedule, on its clock and on the clock of whoever looks at them. */
export function Slots<Item>({ label, zone, items, slotOf, more }: Props<Item>) {
  const clocks = [
    { name: zone, label: zone, clock: clockOf(zone) },
    {
      name: text.event.schedule.yourClockIn(YOURS),
      label: text.event.schedule.yourClock,
      clock: zone === YOURS ? null : clockIn(YOURS),
    },
  ].flatMap(({ clock, ...names }) => (clock ? [{ clock, ...names }] : []));
  return (
    <table className="table" aria-label={label}>
      <thead>
        <tr>
          {clocks.map(({ name }) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
          {more && <th scope="col">{more.name}</th>}
        </tr>
      </thead>
      <tbody>
        {items.map((item) => (
          <tr key={slotOf(item)}>
            {clocks.map(({ name, label: short, clock }) => (
              <td key={name} data-label={short} className={more && 'narrow'}>
                <time dateTime={slotOf(item)}>{clock.format(new Date(slotOf(item)))}</time>
              </td>
            ))}
            {more && <td data-label={more.name}>{more.cell(item)}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
