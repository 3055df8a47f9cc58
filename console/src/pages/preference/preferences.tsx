import type { ChangePreferences, Preferences as Chosen } from '@carillon/client';
import type { ReactNode } from 'react';
import { useAuthors } from '../../api/authors';
import { carillon } from '../../api/carillon';
import { seenOf, useEdit } from '../../api/edit';
import { queryClient } from '../../api/query-client';
import { keyOf, useRead } from '../../api/read';
import { useCan } from '../../api/session';
import { MoreMenu } from '../../components/more-menu';
import { Empty } from '../../components/empty';
import { Problem } from '../../components/problem';
import { Rows } from '../../components/skeleton';
import { text } from '../../text/text';
import { FrequencySelect } from './frequency-select';
import { MutedThreads } from './muted-threads';
import { PreferenceCell } from './preference-cell';
import type { Choice } from './preference-cell';
import './preference.css';

const PREFERENCES = '/api/o/{org}/u/{username}/preferences/';

/** What a user gets by category and channel type, and what decided it. */
export function Preferences({ org, username }: { org: string; username: string }) {
  const can = useCan();
  const path = { org, username };
  const { data, error, refetch } = useRead(PREFERENCES, { path }, { poll: true });
  const key = keyOf(PREFERENCES, { path });
  const change = useEdit({
    // The answer to the last choice may be newer than what is shown.
    seen: () => seenOf(queryClient.getQueryData<Chosen>(key) ?? {}),
    read: (): Promise<object> => carillon.get(PREFERENCES, { path }),
    write: async (body: ChangePreferences, headers) => {
      const answer = await carillon.patch(PREFERENCES, { path, headers, body });
      queryClient.setQueryData(key, answer);
    },
    authors: useAuthors(org, 'preference', username),
    partsOf: (thing) => choicesOf(thing as Chosen),
    reads: [PREFERENCES],
    serially: key.join(),
  });
  const choose = can('preference:write', 'organization') ? change.mutate : null;
  return (
    <section className="stack" aria-label={text.person.preferences}>
      <div className="row">
        <MoreMenu
          live={error ? 'lost' : 'polled'}
          call={{ path: `/api/o/${org}/u/${encodeURIComponent(username)}/preferences/` }}
        />
      </div>
      {error && <Problem error={error} again={() => void refetch()} />}
      {change.error && <Problem error={change.error} />}
      {!data && !error && <Rows />}
      {data && data.channels.length === 0 && <Empty title={text.person.noChannels}>{text.person.noChannelsHint}</Empty>}
      {data && data.channels.length > 0 && <Matrix data={data} choose={choose} isPending={change.isPending} />}
      {data && <MutedThreads threads={data.muted_threads} choose={choose} />}
    </section>
  );
}

const shown = (on: boolean) => (on ? text.event.on : text.event.off);

/** What the user gets, by name. */
function choicesOf({ channels, categories, events }: Chosen): Record<string, string> {
  const cells = [
    ...channels.map(({ type, on }) => [`${text.person.everything}, ${type}`, shown(on)]),
    ...categories.map(({ name, frequency }) => [
      `${name}, ${text.person.howOften}`,
      text.person.frequencies[frequency],
    ]),
    ...categories.flatMap(({ name, channels: own }) => own.map(({ type, on }) => [`${name}, ${type}`, shown(on)])),
    ...events.flatMap(({ name, channels: own }) => own.map(({ type, on }) => [`${name}, ${type}`, shown(on)])),
  ];
  return Object.fromEntries(cells) as Record<string, string>;
}

interface MatrixProps {
  data: Chosen;
  choose: ((change: ChangePreferences) => void) | null;
  isPending: boolean;
}

function Matrix({ data, choose, isPending }: MatrixProps) {
  const types = data.channels.map(({ type }) => type);
  return (
    <div className="preferences-frame">
      <table className="table preferences" aria-label={text.person.preferences} aria-busy={isPending}>
        <thead>
          <tr>
            <th scope="col">{text.person.category}</th>
            {types.map((type) => (
              <th key={type} scope="col">
                {type}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Line
            name={text.person.everything}
            hint={text.person.everythingHint}
            own="channel"
            cells={data.channels.map((channel) => ({
              ...channel,
              cause: channel.suppressed,
              source: channel.suppressed ? 'suppressed' : channel.chosen_at ? 'channel' : 'default',
            }))}
            choose={choose && ((type, choice) => choose({ channels: { [type]: choice } }))}
          />
          {data.categories.map(({ category, name, description, channels, required, frequency, frequencies }) => (
            <Line
              key={category}
              name={name}
              own="category_channel"
              hint={[category, description].filter(Boolean).join(' · ')}
              more={
                frequencies.length > 0 && (
                  <FrequencySelect
                    {...{ name, frequency, frequencies }}
                    choose={choose && ((chosen) => choose({ categories: { [category]: { frequency: chosen } } }))}
                  />
                )
              }
              cells={channels}
              choose={
                required
                  ? null
                  : choose && ((type, choice) => choose({ categories: { [category]: { [type]: choice } } }))
              }
            />
          ))}
          {data.events.map(({ event, name, channels, required, category }) => (
            <Line
              key={event}
              name={text.person.eventChoice(name)}
              hint={event}
              own="event_channel"
              cells={channels}
              choose={
                required || !category
                  ? null
                  : choose && ((type, choice) => choose({ events: { [event]: { [type]: choice } } }))
              }
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface LineProps {
  name: string;
  hint: ReactNode;
  more?: ReactNode;
  cells: Choice[];
  /** The source of a choice that this row stores. */
  own: Choice['source'];
  choose: ((type: string, choice: 'on' | 'off' | null) => void) | null;
}

function Line({ name, hint, more, cells, own, choose }: LineProps) {
  return (
    <tr>
      <th scope="row">
        {name}
        <span className="soft">{hint}</span>
        {more}
      </th>
      {cells.map((cell) => (
        <td key={cell.type} data-label={cell.type}>
          <PreferenceCell
            about={`${name}, ${cell.type}`}
            choice={cell}
            own={own}
            choose={choose && ((choice) => choose(cell.type, choice))}
          />
        </td>
      ))}
    </tr>
  );
}
