// The 20 operations of the contract: the request of each operation for a place in the generated tree, and the rows that it
// creates. The reads come first. Otherwise they would also read the rows that the writes create, and the small database has
// more of those per organization.

/**
 * @typedef {object} Place an organization and one of its users
 * @property {string} org its path
 * @property {string} prj
 * @property {string} app
 * @property {string} list
 * @property {string} user
 * @property {string} domain of the users' e-mails
 */
/**
 * @typedef {object} Operation
 * @property {string} what name, with its number in the specification
 * @property {string} [method]
 * @property {number} [status] expected status
 * @property {(place: Place) => string} path
 * @property {(place: Place, number: number) => unknown} [body] the number differs for each request
 * @property {Record<string, number>} [makes] rows created, by table
 */

/** Half of the e-mails belong to members already; the other half are not users yet. */
const RECIPIENTS = 5;
const recipients = ({ domain }, number) =>
  Array.from({ length: RECIPIENTS }, (_, i) => [`user${i + 1}@${domain}`, `added${number}-${i}@${domain}`]).flat();

/** @type {Operation[]} */
export const OPERATIONS = [
  { what: '1 ping', path: () => '/api/system/ping/' },
  { what: '2 retrieve organization', path: ({ org }) => org },
  { what: '3 list users', path: ({ org }) => `${org}u/` },
  { what: '5 retrieve user', path: ({ user }) => user },
  { what: '7 list user addresses', path: ({ user }) => `${user}address/` },
  { what: '9 list projects', path: ({ org }) => `${org}p/` },
  { what: '10 retrieve project', path: ({ prj }) => prj },
  { what: '11 list organization channels', path: ({ org }) => `${org}c/` },
  { what: '12 list project channels', path: ({ prj }) => `${prj}c/` },
  { what: '13 list applications', path: ({ prj }) => `${prj}a/` },
  { what: '14 list events', path: ({ app }) => `${app}e/` },
  { what: '16 list distribution lists', path: ({ prj }) => `${prj}d/` },
  { what: '18 retrieve distribution list', path: ({ list }) => list },
  { what: '20 list members', path: ({ list }) => `${list}m/` },
  {
    ...{ what: '4 create user', method: 'POST', status: 201 },
    path: ({ org }) => `${org}u/`,
    body: ({ domain }, number) => ({ email: `new${number}@${domain}`, first_name: 'New', custom_fields: { number } }),
    makes: { users: 1, addresses: 1 },
  },
  {
    ...{ what: '6 update user', method: 'PATCH' },
    path: ({ user }) => user,
    body: (_, number) => ({ first_name: `Name ${number}` }),
  },
  {
    ...{ what: '8 add user address', method: 'POST' },
    path: ({ user }) => `${user}address/`,
    body: (_, number) => ({ name: 'badge', value: String(number) }),
    makes: { addresses: 1 },
  },
  {
    ...{ what: '15 trigger event', method: 'POST', status: 201 },
    path: ({ app }) => `${app}e/untold/trigger/`,
    body: (_, number) => ({ context: { order: number, total: 120 } }),
    makes: { occurrences: 1 },
  },
  {
    ...{ what: '17 create distribution list', method: 'POST', status: 201 },
    path: ({ prj }) => `${prj}d/`,
    body: (_, number) => ({ name: `List ${number}` }),
    makes: { distribution_lists: 1 },
  },
  {
    ...{ what: '19 add recipients', method: 'POST' },
    path: ({ list }) => `${list}add/`,
    body: recipients,
    makes: { users: RECIPIENTS, addresses: RECIPIENTS, members: RECIPIENTS },
  },
];
