import { expect, it } from '@jest/globals';
import { readSystemMail } from './system-mail.js';

const FROM = 'Carillon <no-reply@example.com>';

it.each([
  ['smtp://mail.example.com', { host: 'mail.example.com', port: 587, security: 'starttls' }],
  ['smtps://mail.example.com', { host: 'mail.example.com', port: 465, security: 'tls' }],
  ['smtp://127.0.0.1:1025?security=none', { host: '127.0.0.1', port: 1025, security: 'none' }],
  [
    'smtp://ann%40example.com:p%3Aw@mail.example.com:2525/',
    { host: 'mail.example.com', port: 2525, security: 'starttls', username: 'ann@example.com', password: 'p:w' },
  ],
])('reads the mail server in %s', (url, settings) => {
  expect(readSystemMail(url, FROM)).toEqual({ ...settings, from: FROM });
});

it.each([
  'mail.acme.test',
  'http://user:hush@mail.acme.test',
  'smtp:///acme.test',
  'smtp://user:hush@mail.acme.test/inbox',
  'smtp://user:hush@mail.acme.test?tls=yes',
  'smtp://user:hush@mail.acme.test?security=maybe',
])('refuses %s, and does not repeat it', (url) => {
  const read = readSystemMail(url, FROM);
  expect(read).toEqual({ problem: expect.not.stringMatching(/acme|hush/) });
});
