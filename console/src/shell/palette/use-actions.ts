import { useCan, useSession, useSignOut } from '../../api/session';
import { useTree } from '../../api/tree';
import { LANGUAGES, chooseLanguage, language } from '../../text/language';
import type { Language } from '../../text/language';
import { text } from '../../text/text';
import { PAGES } from '../pages';
import { mayStopSomething } from '../stop/stop-target';
import { useTheme } from '../theme';
import type { Finding } from './finding';
import type { Opened } from './opened';

/** Of more applications, a new event is begun on the page Events. */
const APPLICATIONS = 5;

/** Pages to go to, and what one can do from anywhere. */
export function useActions(org: string, isOn: boolean, open: (opened: Opened) => void): Finding[] {
  const can = useCan();
  const session = useSession();
  const signOut = useSignOut();
  const { theme, turn } = useTheme();
  const { projects = [], applications = [], names = {} } = useTree(org, isOn).data ?? {};
  const words = text.palette.actions;
  const may = (isAllowed: boolean, ...some: Finding[]) => (isAllowed ? some : []);
  const action = (id: string, icon: Finding['icon'], label: string, does: Finding['does'], hint?: string): Finding => ({
    ...{ id: `action-${id}`, kind: 'action', icon, label, does, hint },
  });
  const hasProject = projects.length > 0;
  const languages = (Object.keys(LANGUAGES) as Language[]).filter((tag) => tag !== language);
  return [
    ...PAGES.filter(({ needs }) => can(needs)).map(({ to, label, icon, key }): Finding => ({
      ...{ id: `page-${to}`, kind: 'page', icon, label, hint: `g ${key}` },
      does: { to, params: { org }, search: {} },
    })),
    ...may(
      can('user:write', 'organization'),
      action('user', 'plus', text.person.create, () => open({ kind: 'user' })),
    ),
    ...may(
      can('event:write'),
      ...applications.slice(0, APPLICATIONS).map((path) => {
        const [prj = '', app = ''] = path.split('/');
        const does = () => open({ kind: 'place', wanted: { prj, app } });
        return action(`event-${path}`, 'plus', text.event.newEvent, does, `${names[prj]} / ${names[path]}`);
      }),
    ),
    ...may(
      can('organization:write'),
      action('project', 'plus', text.event.newProject, () => open({ kind: 'place', wanted: {} })),
    ),
    ...may(
      can('channel:write'),
      action('channel', 'plus', text.channel.create, () => open({ kind: 'channel' })),
    ),
    ...may(
      can('distributionlist:write', 'project') && hasProject,
      action('list', 'plus', text.list.create, () => open({ kind: 'list', projects })),
    ),
    ...may(
      can('event:write', 'project') && hasProject,
      action('category', 'plus', text.category.create, () => open({ kind: 'category', projects })),
    ),
    ...may(
      can('notification:write', 'project'),
      action('layout', 'plus', text.layout.create, () => open({ kind: 'layout', projects })),
    ),
    ...may(
      mayStopSomething(can),
      action('stop', 'stop', text.stop.open, () => open({ kind: 'stop' })),
    ),
    action('theme', theme === 'dark' ? 'sun' : 'moon', theme === 'dark' ? words.light : words.dark, turn),
    ...languages.map((tag) =>
      action(`language-${tag}`, 'settings', words.language(LANGUAGES[tag]), () => chooseLanguage(tag)),
    ),
    ...may(
      session?.organization === null,
      action('others', 'menu', text.shell.others, { to: '/', search: { choose: '1' } }),
    ),
    action('help', 'help', text.help.title, () => open({ kind: 'help' }), '?'),
    action('leave', 'leave', text.shell.signOut, () => signOut.mutate()),
  ];
}
