import type { SwitchedOff } from '@carillon/client';
import { Link } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { useCan } from '../../../api/session';
import { SWITCH_NEEDS } from '../../../api/switches';
import { useSwitchName } from '../../../api/names';
import { lazily } from '../../../components/lazily';
import { text } from '../../../text/text';

const SwitchOn = lazily(() => import('./switch-on'), 'SwitchOn');

const SHOWN = 6;

/** What is switched off, with a way to switch it on again. */
export function Switches({ org, off }: { org: string; off: SwitchedOff[] }) {
  const can = useCan();
  const [chosen, setChosen] = useState<SwitchedOff | null>(null);
  return (
    <>
      <ul className="switches">
        {off.slice(0, SHOWN).map((each) => (
          <li key={`${each.kind} ${each.path}`}>
            <span>
              <span className="soft">{text.now.kinds[each.kind]}</span> <Target org={org} {...each} />
            </span>
            {can(SWITCH_NEEDS[each.kind]) && <OnButton org={org} off={each} open={() => setChosen(each)} />}
          </li>
        ))}
      </ul>
      {off.length > SHOWN && <p className="soft">{text.now.offMore(off.length - SHOWN)}</p>}
      <Suspense>{chosen && <SwitchOn org={org} target={chosen} onClose={() => setChosen(null)} />}</Suspense>
    </>
  );
}

function OnButton({ org, off: { kind, path }, open }: { org: string; off: SwitchedOff; open: () => void }) {
  const name = useSwitchName(org, kind, path);
  return (
    <button className="button small" onClick={open} aria-label={text.now.onTitle(name)}>
      {text.now.on}
    </button>
  );
}

/** The page of what is switched off, if it has one. */
function Target({ org, kind, path }: SwitchedOff & { org: string }) {
  const name = useSwitchName(org, kind, path);
  const slugs = path.split('/');
  if (kind === 'channel') {
    const [channel = '', prj = '-'] = slugs.toReversed();
    return (
      <Link to="/o/$org/channels/$prj/$channel" params={{ org, prj, channel }} title={path}>
        {name}
      </Link>
    );
  }
  const [prj, app, evt] = slugs;
  if (!prj || !app || !evt) return <span title={path}>{name}</span>;
  return (
    <Link to="/o/$org/events/$prj/$app/$evt" params={{ org, prj, app, evt }} title={path}>
      {name}
    </Link>
  );
}
