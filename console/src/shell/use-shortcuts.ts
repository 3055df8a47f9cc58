import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { isTyping } from './keys';
import { PAGES } from './pages';

const GO_MS = 1_500;

interface Open {
  openPalette: () => void;
  openHelp: () => void;
}

/** Ctrl-K opens the palette, `?` the list of keys, `/` goes to the filter of the page, `g` and a letter go to a page. */
export function useShortcuts(org: string, { openPalette, openHelp }: Open): void {
  const navigate = useNavigate();
  useEffect(() => {
    let goUntil = 0;
    function onKey(event: KeyboardEvent) {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        return openPalette();
      }
      if (isTyping(event)) return;
      if (event.key === '?') return openHelp();
      const page = Date.now() < goUntil ? PAGES.find(({ key }) => key === event.key) : undefined;
      goUntil = event.key === 'g' ? Date.now() + GO_MS : 0;
      if (page) void navigate({ to: page.to, params: { org } });
      const filter = event.key === '/' && document.querySelector<HTMLElement>('[data-filter]');
      if (!filter) return;
      event.preventDefault();
      filter.focus();
    }
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [org, openPalette, openHelp, navigate]);
}
