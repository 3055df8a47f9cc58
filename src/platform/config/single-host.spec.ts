import { expect, it } from '@jest/globals';
import { readConfig } from './config.js';
import { severalHosts } from './single-host.js';

const WAY_OUT = /primary.*docs\/high-availability\.md/;

it.each([
  'postgresql://u:hunter2@a,b/d',
  'postgresql://u:hunter2@a:5432,b:5432/d',
  'postgresql://u:hunter2@a:5432,b:5432',
  'postgres://u:hunter2@/d?host=a,b',
  'postgres://u:hunter2@/d?host=a%2Cb&port=1,2',
  'postgresql://u:hunter2@a/d?target_session_attrs=read-write',
  'postgresql://u:hunter2@a/d?sslmode=require&load_balance_hosts=random',
])('refuses %s, which the driver would read as another one, and says what to do', (url) => {
  expect(() => readConfig({ DATABASE_URL: url })).toThrow(WAY_OUT);
  expect(severalHosts(url)).not.toContain('hunter2');
});

it.each([
  'postgresql://u:p@db.example.com/d',
  'postgresql://u:p,w@db.example.com:6432/d?sslmode=verify-full',
  'postgresql://u:p@[::1]:5432/d',
  'postgresql:///d?host=/var/run/postgresql',
])('accepts %s', (url) => {
  expect(readConfig({ DATABASE_URL: url }).databaseUrl).toBe(url);
});
