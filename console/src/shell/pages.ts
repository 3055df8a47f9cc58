import { text } from '../text/text';

/**
 * The pages of an organization: where, the letter after `g`, and the permission without which one sees nothing there. The navigation draws a
 * line between groups: what happens, what is sent to whom, and what keeps it in order.
 */
export const PAGES = [
  { to: '/o/$org', key: 'n', label: text.pages.now, icon: 'now', group: 0, needs: 'occurrence:read' },
  {
    to: '/o/$org/occurrences',
    key: 'o',
    label: text.pages.occurrences,
    icon: 'occurrences',
    group: 0,
    needs: 'occurrence:read',
  },
  { to: '/o/$org/figures', key: 'f', label: text.pages.figures, icon: 'figures', group: 0, needs: 'occurrence:read' },
  { to: '/o/$org/people', key: 'p', label: text.pages.people, icon: 'people', group: 1, needs: 'user:read' },
  { to: '/o/$org/events', key: 'e', label: text.pages.events, icon: 'events', group: 1, needs: 'event:list' },
  {
    to: '/o/$org/channels',
    key: 'c',
    label: text.pages.channels,
    icon: 'channels',
    group: 1,
    needs: 'organization:read',
  },
  { to: '/o/$org/lists', key: 'l', label: text.pages.lists, icon: 'lists', group: 1, needs: 'distributionlist:read' },
  {
    to: '/o/$org/categories',
    key: 't',
    label: text.pages.categories,
    icon: 'categories',
    group: 1,
    needs: 'event:list',
  },
  { to: '/o/$org/layouts', key: 'y', label: text.pages.layouts, icon: 'layouts', group: 1, needs: 'notification:read' },
  { to: '/o/$org/brand', key: 'b', label: text.pages.brand, icon: 'brand', group: 2, needs: 'organization:read' },
  {
    to: '/o/$org/settings',
    key: 'i',
    label: text.pages.settings,
    icon: 'settings',
    group: 2,
    needs: 'organization:read',
  },
  {
    to: '/o/$org/suppressions',
    key: 's',
    label: text.pages.suppressions,
    icon: 'suppressions',
    group: 2,
    needs: 'suppression:read',
  },
  { to: '/o/$org/audit', key: 'a', label: text.pages.audit, icon: 'audit', group: 2, needs: 'audit:read' },
  { to: '/o/$org/members', key: 'm', label: text.pages.members, icon: 'members', group: 2, needs: 'member:read' },
  { to: '/o/$org/keys', key: 'k', label: text.pages.keys, icon: 'keys', group: 2, needs: 'apikey:read' },
] as const;
