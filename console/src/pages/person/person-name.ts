import type { User } from '@carillon/client';

/** What a page calls a user: the name, or the e-mail of a user without one. */
export const nameOf = ({ first_name, last_name, email }: Pick<User, 'first_name' | 'last_name' | 'email'>) =>
  [first_name, last_name].filter(Boolean).join(' ') || email;
