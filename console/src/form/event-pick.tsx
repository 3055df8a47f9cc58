import { Combobox } from '@base-ui/react/combobox';
import { useTree } from '../api/tree';
import { Icon } from '../components/icon';
import { text } from '../text/text';

interface Props {
  org: string;
  /** A path such as `shop/web/order-paid`. */
  chosen: string | undefined;
  onChoose: (path: string | undefined) => void;
}

/** Of more, one types a part of the name. */
const SHOWN = 100;

/** One event, or any: chosen by a part of its name, however many there are. */
export function EventPick({ org, chosen, onChoose }: Props) {
  const { data } = useTree(org);
  const { events = [], names = {} } = data ?? {};
  // One that no longer exists is shown, too.
  const items = chosen && !events.includes(chosen) ? [chosen, ...events] : events;
  const nameOf = (path: string) => names[path] ?? path;
  const placeOf = (path: string) => {
    const [project = '', application = ''] = path.split('/');
    return `${names[project] ?? project} / ${names[`${project}/${application}`] ?? application}`;
  };
  return (
    <Combobox.Root
      // The names arrive after the address.
      key={data ? 'named' : 'nameless'}
      items={items}
      value={chosen ?? null}
      onValueChange={(path) => onChoose(path ?? undefined)}
      itemToStringLabel={nameOf}
      filter={(path, words) => `${nameOf(path)} ${placeOf(path)} ${path}`.toLowerCase().includes(words.toLowerCase())}
      limit={SHOWN}
      autoHighlight
    >
      <div className="pick">
        <Combobox.Input className="input" aria-label={text.occurrences.event} placeholder={text.occurrences.anyEvent} />
        {chosen && (
          <Combobox.Clear className="button small plain sign pick-clear" aria-label={text.occurrences.anyEvent}>
            <Icon name="cross" />
          </Combobox.Clear>
        )}
      </div>
      <Combobox.Portal>
        <Combobox.Positioner className="menu-place" sideOffset={4} collisionPadding={8}>
          <Combobox.Popup className="menu pick-list">
            <Combobox.Empty className="menu-label">{text.palette.nothing}</Combobox.Empty>
            <Combobox.List aria-label={text.occurrences.event}>
              {(path: string) => (
                <Combobox.Item key={path} value={path} className="menu-item">
                  <span>
                    {nameOf(path)} <span className="soft">{placeOf(path)}</span>
                  </span>
                </Combobox.Item>
              )}
            </Combobox.List>
          </Combobox.Popup>
        </Combobox.Positioner>
      </Combobox.Portal>
    </Combobox.Root>
  );
}
