/** The noun of a controller in the contract, where it is not the controller's own name. */
const NOUNS: Record<string, string> = {
  Audit: 'AuditEntry',
  ChannelHealth: 'ChannelState',
  Explain: 'Occurrence',
  Health: '',
  Inbox: 'InboxMessage',
  Member: 'ListMember',
  Preference: 'Preferences',
  Preview: 'Template',
  Progress: 'Occurrence',
  Quota: 'OrganizationQuota',
  Simulate: 'Event',
  Summary: 'OrganizationSummary',
  System: '',
  Trigger: 'Event',
  Withheld: 'WithheldNotification',
};

/** Verbs that mean several things at once. */
const ABOUT_MANY = ['list', 'add', 'import', 'mark', 'stream'];

/**
 * A verb and a noun: `UserController.create` is `createUser`, `UserController.list` is `listUsers`, and what else a method's name
 * says comes last: `ProjectController.getSettings` is `getProjectSettings`. Callers know our `remove` as `delete`.
 */
export function operationId(controller: string, method: string): string {
  const name = controller.replace(/Controller$/, '');
  const noun = NOUNS[name] ?? name;
  const [, verb = '', rest = ''] = /^([a-z]+)(.*)$/.exec(method) ?? [];
  const isMany = ABOUT_MANY.includes(verb) && rest === '';
  return (verb === 'remove' ? 'delete' : verb) + (isMany ? plural(noun) : noun) + rest;
}

function plural(noun: string): string {
  if (/[^aeiou]y$/.test(noun)) return `${noun.slice(0, -1)}ies`;
  return noun.endsWith('s') ? `${noun}es` : `${noun}s`;
}
