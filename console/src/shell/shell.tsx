import { ProblemError } from '@carillon/client';
import { Link, Outlet, getRouteApi } from '@tanstack/react-router';
import { Suspense, useEffect, useState } from 'react';
import { useRead } from '../api/read';
import { useCan, useSession, useSignOut } from '../api/session';
import bell from '../bell.svg';
import { Icon } from '../components/icon';
import { ReachName } from '../components/links';
import { afterFirstPage, lazily, readTheRest } from '../components/lazily';
import { text } from '../text/text';
import { LanguageChoice } from './language-choice';
import { NotFound } from './not-found';
import { EarlyWords } from './palette/early-words';
import type { Opened } from './palette/opened';
import { PAGES } from './pages';
import { StopControl } from './stop-control';
import { useTheme } from './theme';
import { useShortcuts } from './use-shortcuts';

const route = getRouteApi('/o/$org');

const loadPalette = afterFirstPage(() => import('./palette/palette'));
const Palette = lazily(loadPalette, 'Palette');
const OpenedDialog = lazily(() => import('./palette/opened'), 'OpenedDialog');

/** The frame around every page of an organization. */
export function Shell() {
  const { org } = route.useParams();
  const [isMenuOpen, setMenuOpen] = useState(false);
  const [isPaletteOpen, setPaletteOpen] = useState(false);
  const [earlyWords, setEarlyWords] = useState('');
  const [opened, setOpened] = useState<Opened | null>(null);
  function closePalette() {
    setPaletteOpen(false);
    setEarlyWords('');
  }
  useShortcuts(org, { openPalette: () => setPaletteOpen(true), openHelp: () => setOpened({ kind: 'help' }) });
  const isElsewhere = useIsElsewhere(org);
  useEffect(() => {
    readTheRest();
    void loadPalette();
  }, []);
  return (
    <div className="shell">
      <Side org={org} isOpen={isMenuOpen} close={() => setMenuOpen(false)} />
      <header className="top">
        <button
          className="button plain menu-button"
          aria-label={text.shell.menu}
          aria-expanded={isMenuOpen}
          onClick={() => setMenuOpen(!isMenuOpen)}
        >
          <Icon name="menu" />
        </button>
        <button className="button search" onClick={() => setPaletteOpen(true)}>
          <Icon name="search" /> {text.shell.search} <kbd>Ctrl K</kbd>
        </button>
        <span className="space" />
        <StopControl org={org} />
      </header>
      <main className="main" id="main">
        {isElsewhere ? <NotFound /> : <Outlet />}
      </main>
      {isPaletteOpen && (
        <Suspense fallback={<EarlyWords words={earlyWords} setWords={setEarlyWords} close={closePalette} />}>
          <Palette org={org} earlyWords={earlyWords} close={closePalette} open={setOpened} />
        </Suspense>
      )}
      <Suspense>{opened && <OpenedDialog org={org} opened={opened} close={() => setOpened(null)} />}</Suspense>
    </div>
  );
}

/** Whether there is no such organization, or the session does not reach it: both look the same. */
function useIsElsewhere(org: string): boolean {
  const can = useCan();
  const { error } = useRead('/api/o/{org}/', { path: { org } }, { enabled: can('organization:read') });
  return error instanceof ProblemError && error.status === 404;
}

function Side({ org, isOpen, close }: { org: string; isOpen: boolean; close: () => void }) {
  const session = useSession();
  const can = useCan();
  const { theme, turn } = useTheme();
  const signOut = useSignOut();
  const { data } = useRead('/api/o/{org}/', { path: { org } }, { enabled: can('organization:read') });
  const name = data?.name ?? org;
  return (
    <nav className="side" aria-label={text.shell.pages} data-open={isOpen || undefined} onClick={close}>
      <Link to="/" className="brand">
        <img src={bell} alt="" />
        Carillon
      </Link>
      <p className="nav-organization">
        <span className="soft">{text.shell.organization}</span> <strong>{name}</strong>
        {session?.organization === null && (
          <Link to="/" search={{ choose: '1' }} className="nav-others">
            {text.shell.others}
          </Link>
        )}
      </p>
      {[0, 1, 2].map((group) => (
        <div className="nav" key={group}>
          {PAGES.filter((page) => page.group === group && can(page.needs)).map(({ to, label, icon }) => (
            <Link key={to} to={to} params={{ org }} activeOptions={{ exact: to === '/o/$org' }} search={{}}>
              <Icon name={icon} />
              {label}
            </Link>
          ))}
        </div>
      ))}
      <div className="nav-foot">
        <p className="soft">
          {text.shell.signedInAs} {session?.person ?? session?.name}
          {session?.project && (
            <>
              {' · '}
              <ReachName {...{ org }} project={session.project} application={session.application} />
            </>
          )}
        </p>
        <div className="row">
          <button className="button small" onClick={turn}>
            <Icon name={theme === 'dark' ? 'sun' : 'moon'} />
            {theme === 'dark' ? text.shell.light : text.shell.dark}
          </button>
          <LanguageChoice />
          <button className="button small" onClick={() => signOut.mutate()}>
            <Icon name="leave" />
            {text.shell.signOut}
          </button>
        </div>
      </div>
    </nav>
  );
}
