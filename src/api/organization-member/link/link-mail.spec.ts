import { expect, it } from '@jest/globals';
import { linkMail } from './link-mail.js';

const LINKS = [
  { organization: 'Acme Inc', url: 'https://carillon.test/console/#t=crt_1' },
  { organization: 'Globex', url: 'https://carillon.test/console/#t=crt_2' },
];
const ABOUT = { links: LINKS, console: 'https://carillon.test/console/', minutes: 15 };

it('has a link for each organization, says how long they work, and where to get another one', () => {
  const { subject, text } = linkMail({ kind: 'sign-in', ...ABOUT }, 'en');
  expect(subject).toBe('Sign in to Carillon');
  expect(text).toContain('Sign in to Acme Inc:\nhttps://carillon.test/console/#t=crt_1\n');
  expect(text).toContain('Sign in to Globex:\nhttps://carillon.test/console/#t=crt_2\n');
  expect(text).toContain('within 15 minutes');
  expect(text).toContain('enter your address:\nhttps://carillon.test/console/\n');
});

it('speaks German', () => {
  const { subject, text } = linkMail({ kind: 'invitation', ...ABOUT }, 'de');
  expect(subject).toBe('Mitglied von Acme Inc in Carillon');
  expect(text).toContain('Bei Acme Inc anmelden:\nhttps://');
});

it('keeps the name of an organization on one line', () => {
  const links = [{ organization: 'Acme\r\n\r\nhttps://evil.test', url: 'https://carillon.test/' }];
  const { subject, text } = linkMail({ kind: 'invitation', ...ABOUT, links }, 'en');
  expect(subject).toBe('You are a member of Acme https://evil.test in Carillon');
  expect(text).toContain('Sign in to Acme https://evil.test:\nhttps://carillon.test/');
});
