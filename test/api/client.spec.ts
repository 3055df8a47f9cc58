import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import ts from 'typescript';
import { Carillon, ProblemError, etagOf } from '../../clients/typescript/src/client.js';
import type { Answer, User } from '../../clients/typescript/src/client.js';
import { root } from '../../src/platform/config/root.js';
import { version } from '../../src/platform/config/version.js';
import { TestApp } from '../support/app/app.js';
import { startWorker } from '../support/app/worker.js';
import { createFolder } from '../support/folder.js';

const ACME = { org: 'acme' };
const SHOP = { ...ACME, prj: 'shop' };
const WEB = { ...SHOP, app: 'web' };
const PAID = { ...WEB, evt: 'order-paid' };
const TRIGGER = '/api/o/{org}/p/{prj}/a/{app}/e/{evt}/trigger/';

let app: TestApp;
let carillon: Carillon;

beforeAll(async () => {
  app = await TestApp.start();
  carillon = new Carillon({ url: `${app.url}/`, key: await app.key() });
  await carillon.post('/api/o/', { body: { slug: 'acme', name: 'Acme' } });
  await carillon.post('/api/o/{org}/p/', { path: ACME, body: { slug: 'shop', name: 'Shop' } });
});
afterAll(() => app.stop());

const problemOf = async (call: Promise<unknown>): Promise<ProblemError> => {
  const error = await call.catch((thrown: unknown) => thrown);
  if (error instanceof ProblemError) return error;
  throw new Error('no problem');
};

it('uploads a file', async () => {
  const upload = await carillon.upload('acme', 'Größe.txt', new Blob(['Hello'], { type: 'text/plain' }));
  expect(upload).toMatchObject({ filename: 'Größe.txt', content_type: 'text/plain', size: 5 });
  expect(await carillon.get('/api/o/{org}/uploads/{upload}/', { path: { ...ACME, upload: upload.id } })).toEqual(
    upload,
  );
});

it('builds an organization, triggers its event and follows the message to the inbox', async () => {
  await carillon.post('/api/o/{org}/p/{prj}/a/', { path: SHOP, body: { slug: 'web', name: 'Web' } });
  await carillon.post('/api/o/{org}/p/{prj}/a/{app}/e/', {
    path: WEB,
    body: { slug: 'order-paid', name: 'Order paid' },
  });
  await carillon.post('/api/o/{org}/p/{prj}/c/', {
    path: SHOP,
    body: { slug: 'in-app', name: 'In-app', type: 'inbox' },
  });
  const { id } = await carillon.post('/api/o/{org}/p/{prj}/d/', { path: SHOP, body: { name: 'Staff' } });
  const added = await carillon.post('/api/o/{org}/p/{prj}/d/{pk}/add/', {
    path: { ...SHOP, pk: id },
    body: ['ann@acme.test'],
  });
  expect(added).toEqual({ added: 1, existing: 0, created_users: 1 });
  const { templates } = await carillon.post('/api/o/{org}/p/{prj}/a/{app}/e/{evt}/n/', {
    path: PAID,
    body: {
      name: 'Tell the staff',
      distribution_lists: ['Staff'],
      templates: [{ channel: 'in-app', subject: 'Paid', text: 'Order {{ order }}' }],
    },
  });
  expect(templates[0]).toEqual({
    channel: 'in-app',
    subject: 'Paid',
    text: 'Order {{ order }}',
    html: null,
    markdown: null,
    mjml: null,
    from: null,
    reply_to: null,
    headers: null,
    ...{ url: null, image: null, actions: null, data: null, template: null },
    translations: null,
    layout: null,
    per: 'person',
  });

  const worker = await startWorker(app);
  try {
    const trigger = { path: PAID, headers: { 'Idempotency-Key': 'A-17' }, body: { context: { order: 'A-17' } } };
    const { occurrence } = await carillon.post(TRIGGER, trigger);
    const again = { context: { order: 'A-17' }, idempotencyKey: 'A-17' };
    expect(await carillon.trigger('acme/shop/web/order-paid', again)).toEqual({ occurrence });

    let progress: Answer<'GET', '/api/o/{org}/occurrences/{occurrence}/'>['counts'] | undefined;
    const path = { ...ACME, occurrence };
    for await (const { event, data } of await carillon.get('/api/o/{org}/occurrences/{occurrence}/stream/', { path })) {
      progress = data;
      if (event === 'done') break;
    }
    expect(progress).toMatchObject({ total: 1, sent: 1 });
    const { sentence } = await carillon.explain('acme', occurrence, 'ann@acme.test');
    expect(sentence).toMatch(/^ann@acme\.test was sent "Tell the staff" over in-app at /);
  } finally {
    await worker.stop();
  }
  const [message] = await carillon.inbox('acme', 'ann@acme.test');
  expect(message).toMatchObject({ subject: 'Paid', text: 'Order A-17', read_at: null });
});

it('knows the version of an answer, and refuses to change another one', async () => {
  await carillon.post('/api/o/{org}/p/{prj}/categories/', { path: SHOP, body: { slug: 'news', name: 'News' } });
  const path = { ...SHOP, category: 'news' };
  const rename = (of: object, name: string) =>
    carillon.patch('/api/o/{org}/p/{prj}/categories/{category}/', {
      path,
      headers: { 'If-Match': etagOf(of) },
      body: { name },
    });
  const read = await carillon.get('/api/o/{org}/p/{prj}/categories/{category}/', { path });
  const changed = await rename(read, 'Newsletter');
  expect(await problemOf(rename(read, 'Letters'))).toMatchObject({ status: 412 });
  expect(await rename(changed, 'Letters')).toMatchObject({ name: 'Letters' });
  expect(etagOf(await carillon.get('/api/o/{org}/u/', { path: ACME }))).toBeUndefined();
});

it('refuses a place that is no event', async () => {
  await expect(carillon.trigger('acme/shop/order-paid')).rejects.toThrow(
    'is not organization/project/application/event',
  );
  await expect(carillon.trigger('acme/../web/order-paid')).rejects.toThrow('cannot be the prj');
});

it('throws a problem with its fields', async () => {
  const problem = await problemOf(carillon.post('/api/o/{org}/u/', { path: ACME, body: { email: 'nobody' } }));
  expect(problem.status).toBe(400);
  expect(problem.errors.email).toHaveLength(1);
  expect(problem.message).toBe('The request is invalid: see email under errors.');
  const stranger = new Carillon({ url: app.url, key: 'crl_no' });
  expect((await problemOf(stranger.get('/api/system/ping/'))).problem.type).toBe('urn:carillon:problem:unauthorized');
});

it('throws a problem too where a proxy answers for the service', async () => {
  const proxy = createServer((_, response) => response.writeHead(502, { 'Retry-After': '3' }).end('Bad luck'));
  await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done));
  const { port } = proxy.address() as AddressInfo;
  try {
    const problem = await problemOf(new Carillon({ url: `http://127.0.0.1:${port}`, key: 'x' }).get('/health/live'));
    expect([problem.status, problem.message, problem.headers.get('retry-after')]).toEqual([502, 'Bad luck', '3']);
  } finally {
    proxy.close();
  }
});

it('reads a list page by page, and updates and deletes', async () => {
  const letters = ['a', 'b', 'c', 'd', 'e'];
  for (const letter of letters) {
    await carillon.post('/api/o/{org}/u/', { path: ACME, body: { email: `${letter}+page@acme.test` } });
  }
  const pages: User[][] = [];
  for await (const page of carillon.pages('/api/o/{org}/u/', { path: ACME, query: { limit: 2 } })) pages.push(page);
  expect(pages.slice(0, -1).every(({ length }) => length === 2)).toBe(true);
  const emails = pages.flat().map(({ email }) => email);
  expect(emails).toEqual(expect.arrayContaining(letters.map((letter) => `${letter}+page@acme.test`)));
  expect(new Set(emails).size).toBe(emails.length);
  const one = [];
  for await (const page of carillon.pages('/api/o/')) one.push(page);
  expect(one).toEqual([[expect.objectContaining({ slug: 'acme' })]]);

  const path = { ...ACME, username: 'a+page@acme.test' };
  await carillon.patch('/api/o/{org}/u/{username}/', { path, body: { first_name: 'Ann' } });
  expect(await carillon.get('/api/o/{org}/u/{username}/', { path })).toMatchObject({ first_name: 'Ann' });
  expect(await carillon.delete('/api/o/{org}/u/{username}/', { path })).toBeUndefined();
  expect((await problemOf(carillon.get('/api/o/{org}/u/{username}/', { path }))).status).toBe(404);
});

it.each(['', '.', '..'])('refuses "%s" in a path, which would be the path of something else', async (username) => {
  const call = carillon.delete('/api/o/{org}/u/{username}/', { path: { ...ACME, username } });
  await expect(call).rejects.toThrow(`"${username}" cannot be the username of a path`);
  expect(await carillon.get('/api/o/{org}/', { path: ACME })).toMatchObject({ slug: 'acme' });
});

it('knows the contract when it is compiled', () => {
  const wrong = async () => {
    // @ts-expect-error there is no such path
    await carillon.get('/api/o/{org}/people/', { path: ACME });
    // @ts-expect-error nothing can be deleted there
    await carillon.delete('/api/o/{org}/u/', { path: ACME });
    // @ts-expect-error the path needs an organization
    await carillon.get('/api/o/{org}/u/');
    // @ts-expect-error a limit is a number
    await carillon.get('/api/o/{org}/u/', { path: ACME, query: { limit: 'all' } });
    // @ts-expect-error the field is called `email`
    await carillon.post('/api/o/{org}/u/', { path: ACME, body: { mail: 'ann@acme.test' } });
    // @ts-expect-error there are three priorities
    await carillon.post(TRIGGER, { path: PAID, body: { options: { priority: 'x' } } });
    // @ts-expect-error no list, no pages
    carillon.pages('/api/o/{org}/', { path: ACME });
    // @ts-expect-error an organization has a `slug`
    return (await carillon.get('/api/o/{org}/', { path: ACME })).id;
  };
  expect(wrong).toBeDefined();
});

it('is packed as a module that works without anything else', async () => {
  const folder = createFolder();
  try {
    execFileSync('npm', ['pack', '--silent', '--ignore-scripts=false', '--pack-destination', folder.path], {
      cwd: join(root, 'clients', 'typescript'),
      stdio: 'pipe',
    });
    execFileSync('tar', ['-xzf', join(folder.path, `carillon-client-${version}.tgz`), '-C', folder.path]);
    const entry = pathToFileURL(join(folder.path, 'package', 'dist', 'client.js')).href;
    const given = JSON.stringify({ url: app.url, key: await app.key({ name: 'packed' }) });
    const program = `
      const { Carillon } = await import('${entry}');
      console.log(await new Carillon(${given}).get('/api/system/ping/'));`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]);
    expect(stdout).toBe("{ token: 'packed' }\n");

    // Its types, as a program with it installed is compiled.
    mkdirSync(join(folder.path, 'node_modules', '@carillon'), { recursive: true });
    renameSync(join(folder.path, 'package'), join(folder.path, 'node_modules', '@carillon', 'client'));
    const consumer = join(folder.path, 'consumer.mts');
    writeFileSync(
      consumer,
      `import { Carillon, type User } from '@carillon/client';
      const user: User = await new Carillon({ url: '', key: '' }).get('/api/o/{org}/u/{username}/', { path: { org: 'a', username: 'b' } });
      const text: number = user.email;`,
    );
    for (const resolution of [
      { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext },
      { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler },
    ]) {
      const options = {
        ...resolution,
        target: ts.ScriptTarget.ES2022,
        strict: true,
        noEmit: true,
        skipDefaultLibCheck: true, // TypeScript's own types
        types: [],
      };
      const found = ts.getPreEmitDiagnostics(ts.createProgram([consumer], options));
      // Only the mistake on its last line: the types were found, and they are right.
      expect(found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '))).toEqual([
        "Type 'string' is not assignable to type 'number'.",
      ]);
    }
  } finally {
    folder.remove();
  }
});
