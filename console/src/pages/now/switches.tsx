import type { SwitchedOff } from '@carillon/client';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useSetSwitch } from '../../api/switches';
import { useCan } from '../../api/session';
import { SWITCH_NEEDS } from '../../api/switches';
import { Dialog } from '../../form/dialog';
import { Problem } from '../../components/problem';
import { text } from '../../text/text';

const SHOWN = 6;

/** What is switched off, with a way to switch it on again. */
export function Switches({ org, off }: { org: string; off: SwitchedOff[] }) {
  const can = useCan();
  const [chosen, setChosen] = useState<SwitchedOff | null>(null);
  const setSwitch = useSetSwitch(org);
  function close() {
    setChosen(null);
    setSwitch.reset();
  }
  const switchOn = (target: SwitchedOff) => setSwitch.mutate({ ...target, enabled: true }, { onSuccess: close });
  return (
    <>
      <ul className="switches">
        {off.slice(0, SHOWN).map((each) => (
          <li key={`${each.kind} ${each.path}`}>
            <span>
              <span className="soft">{text.now.kinds[each.kind]}</span> <Target org={org} {...each} />
            </span>
            {can(SWITCH_NEEDS[each.kind]) && (
              <button className="button small" onClick={() => setChosen(each)} aria-label={text.now.onTitle(each.path)}>
                {text.now.on}
              </button>
            )}
          </li>
        ))}
      </ul>
      {off.length > SHOWN && <p className="soft">{text.now.offMore(off.length - SHOWN)}</p>}
      <Dialog title={text.now.onTitle(chosen?.path ?? '')} open={chosen !== null} onClose={close}>
        <p>{text.now.onConfirm}</p>
        {setSwitch.error && <Problem error={setSwitch.error} />}
        <div className="actions">
          <button className="button" onClick={close}>
            {text.now.cancel}
          </button>
          <button className="button primary" disabled={setSwitch.isPending} onClick={() => chosen && switchOn(chosen)}>
            {text.now.on}
          </button>
        </div>
      </Dialog>
    </>
  );
}

/** The page of what is switched off, if it has one. */
function Target({ org, kind, path }: SwitchedOff & { org: string }) {
  const slugs = path.split('/');
  if (kind === 'channel') {
    const [channel = '', prj = '-'] = slugs.toReversed();
    return (
      <Link to="/o/$org/channels/$prj/$channel" params={{ org, prj, channel }}>
        {path}
      </Link>
    );
  }
  const [prj, app, evt] = slugs;
  if (!prj || !app || !evt) return <span>{path}</span>;
  return (
    <Link to="/o/$org/events/$prj/$app/$evt" params={{ org, prj, app, evt }}>
      {path}
    </Link>
  );
}
