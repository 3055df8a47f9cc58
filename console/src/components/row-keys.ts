import { useEffect } from 'react';
import { isTyping } from '../shell/keys';

/** j and k move the focus to the next and the last row's link, through all tables of the page. Enter, on a link, does what it always does. */
export function useRowKeys(): void {
  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      // Each table of the page listens: the first one does it, and the others see that the key is taken.
      if (isTyping(event) || (event.key !== 'j' && event.key !== 'k')) return;
      const rows = [...document.querySelectorAll('#main .table > tbody > tr')];
      const links = rows.flatMap((row) => row.querySelector<HTMLElement>('a, button') ?? []);
      if (links.length === 0) return;
      const at = links.findIndex((link) => link.closest('tr')!.contains(document.activeElement));
      const next = at === -1 ? 0 : Math.min(links.length - 1, Math.max(0, at + (event.key === 'j' ? 1 : -1)));
      links[next]!.focus();
      event.preventDefault();
    }
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}
