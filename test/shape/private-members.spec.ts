import { once } from 'node:events';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import express from 'express';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import { Client } from 'pg';
import { root } from '../../src/platform/config/root.js';

// Everything that we use of libraries although they do not document it: [what, who uses it, the object that must have it, its members].
const USES: [string, string, () => unknown, string[]][] = [
  ['a client of pg', 'src/platform/database/connection/session-client.ts', () => new Client({}), ['connection']],
  [
    'the connection of a client of pg',
    'src/platform/database/connection/session-client.ts',
    () => (new Client({}) as unknown as { connection: object }).connection,
    ['stream', 'once', 'on'],
  ],
  ['a listening net.Server', 'src/platform/http/adapter/accept-copies.ts', listening, ['_handle']],
  ['an application of Express', 'src/platform/http/adapter/express-classes.ts', express, ['request', 'response']],
  ['the router of Express', 'src/platform/http/adapter/direct-adapter.ts', () => express().router, ['stack']],
  [
    'the connection of nodemailer',
    'src/dispatcher/email/conversation/bounded-connection.ts',
    () => new SMTPConnection({}),
    ['_onData', '_responseQueue', '_supportedExtensions', '_maxAllowedSize', '_socket'],
  ],
  [
    'the runtime of Jest',
    'scripts/jest/runtime.cjs',
    jestRuntime,
    ['unstable_shouldLoadAsEsm', 'unstable_importModule', 'requireInternalModule'],
  ],
];

async function listening(): Promise<object> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { _handle } = server as unknown as { _handle: unknown };
  server.close();
  return { _handle };
}

/** As Jest itself finds it. */
function jestRuntime(): object {
  const require = createRequire(join(root, 'scripts', 'jest', 'runtime.cjs'));
  return (require('jest-runtime') as { default: { prototype: object } }).default.prototype;
}

it.each(USES)('%s still has the undocumented members that %s uses', async (what, file, make, members) => {
  const object = (await make()) as Record<string, unknown>;
  const missing = members.filter((member) => object[member] === undefined);
  expect(missing.map((member) => `${what} no longer has ${member}: change ${file}`)).toEqual([]);
});
