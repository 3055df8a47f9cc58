import { useSyncExternalStore } from 'react';

type Theme = 'light' | 'dark';

const KEY = 'carillon-theme';
const system = matchMedia('(prefers-color-scheme: dark)');
const listeners = new Set<() => void>();

const chosen = () => localStorage.getItem(KEY) as Theme | null;
const current = (): Theme => chosen() ?? (system.matches ? 'dark' : 'light');

/** Light or dark: what the operator chose, otherwise what the system says. */
export function applyTheme(): void {
  document.documentElement.dataset.theme = current();
  for (const listener of listeners) listener();
}

system.addEventListener('change', applyTheme);
addEventListener('storage', applyTheme);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useTheme(): { theme: Theme; turn: () => void } {
  const theme = useSyncExternalStore(subscribe, current);
  const turn = () => {
    localStorage.setItem(KEY, theme === 'dark' ? 'light' : 'dark');
    applyTheme();
  };
  return { theme, turn };
}
