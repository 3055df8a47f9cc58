import { text } from '../text/text';

/** The pages of an organization: where, the letter after `g`, and the permission without which one sees nothing there. */
export const PAGES = [
  { to: '/o/$org', key: 'n', label: text.pages.now, needs: 'occurrence:read' },
  { to: '/o/$org/occurrences', key: 'o', label: text.pages.occurrences, needs: 'occurrence:read' },
  { to: '/o/$org/figures', key: 'f', label: text.pages.figures, needs: 'occurrence:read' },
  { to: '/o/$org/people', key: 'p', label: text.pages.people, needs: 'user:read' },
  { to: '/o/$org/events', key: 'e', label: text.pages.events, needs: 'event:list' },
  { to: '/o/$org/channels', key: 'c', label: text.pages.channels, needs: 'organization:read' },
  { to: '/o/$org/lists', key: 'l', label: text.pages.lists, needs: 'distributionlist:read' },
  { to: '/o/$org/categories', key: 't', label: text.pages.categories, needs: 'event:list' },
  { to: '/o/$org/layouts', key: 'y', label: text.pages.layouts, needs: 'notification:read' },
  { to: '/o/$org/brand', key: 'b', label: text.pages.brand, needs: 'organization:read' },
  { to: '/o/$org/suppressions', key: 's', label: text.pages.suppressions, needs: 'suppression:read' },
  { to: '/o/$org/audit', key: 'a', label: text.pages.audit, needs: 'audit:read' },
  { to: '/o/$org/keys', key: 'k', label: text.pages.keys, needs: 'apikey:read' },
] as const;
