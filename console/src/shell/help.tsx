import { useCan } from '../api/session';
import { Dialog } from '../form/dialog';
import { text } from '../text/text';
import { PAGES } from './pages';

/** The keys that work on every page. `?` opens it. */
export function Help({ onClose }: { onClose: () => void }) {
  const can = useCan();
  const pages = PAGES.filter(({ needs }) => can(needs));
  const rows: [string[], string][] = [
    [['Ctrl', 'K'], text.help.search],
    [['/'], text.help.filter],
    [['j'], text.help.next],
    [['k'], text.help.previous],
    [['Enter'], text.help.open],
    [['x'], text.help.stop],
    [['Esc'], text.help.close],
    [['?'], text.help.title],
    ...pages.map(({ key, label }): [string[], string] => [['g', key], label]),
  ];
  return (
    <Dialog title={text.help.title} open onClose={onClose}>
      <dl className="help-keys">
        {rows.map(([keys, what]) => (
          <div key={keys.join(' ')} className="help-row">
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
