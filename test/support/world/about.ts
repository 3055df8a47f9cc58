/** What the messages in a dispatcher's spec are about. */
export const about = {
  occurrence: 'o1',
  organization: 'acme',
  project: 'shop',
  application: 'web',
  event: 'paid',
  user: 'ann',
};
