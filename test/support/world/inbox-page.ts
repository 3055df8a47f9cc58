import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../../../src/platform/config/root.js';
import { version } from '../../../src/platform/config/version.js';
import { createFolder } from '../folder.js';

const run = promisify(execFile);

// What a page with the element does. `giveToken` is a function of the test.
const PAGE = `
  import '/carillon-inbox.min.js';
  const element = document.querySelector('carillon-inbox');
  window.news = [];
  window.clicked = [];
  element.token = () => window.giveToken();
  element.addEventListener('carillon-new', ({ detail }) => window.news.push(detail.message.subject));
  element.addEventListener('carillon-message', (event) => {
    window.clicked.push(event.detail.message.subject);
    if (location.search.includes('cancel')) event.preventDefault();
  });`;

const REACT_PAGE = `
  import { createElement, StrictMode } from 'react';
  import { createRoot } from 'react-dom/client';
  import { CarillonInbox } from '@carillon/inbox/react';
  const { url, organization, username } = Object.fromEntries(new URLSearchParams(location.search));
  window.clicked = [];
  const inbox = createElement(CarillonInbox, {
    url, organization, username, texts: { title: 'Post' }, token: () => window.giveToken(),
    onMessage: (event) => window.clicked.push(event.detail.message.subject),
  });
  createRoot(document.querySelector('main')).render(createElement(StrictMode, null, inbox));`;

const CSS =
  ':root { color-scheme: light dark; } body { margin: 0; padding: 16px; display: flex; justify-content: flex-end; }';

/** An application with the packed element in its page, under a strict Content-Security-Policy. */
export class InboxPage {
  private constructor(
    private readonly server: Server,
    readonly bundle: Buffer,
    private readonly remove: () => void,
  ) {}

  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Packs the package as its users get it. */
  static async start(): Promise<InboxPage> {
    const { path: folder, remove } = createFolder();
    const pack = ['pack', '--silent', '--ignore-scripts=false', '--pack-destination', folder];
    await run('npm', pack, { cwd: join(root, 'clients', 'inbox') });
    await run('tar', ['-xzf', join(folder, `carillon-inbox-${version}.tgz`), '-C', folder]);
    const bundle = readFileSync(join(folder, 'package', 'dist', 'carillon-inbox.min.js'));
    const react = await bundleReact(folder);
    const server = createServer((request, response) => {
      const { pathname, searchParams } = new URL(request.url!, 'http://page');
      const files: Record<string, [string, string | Buffer]> = {
        '/': ['text/html', html(searchParams, 'page.js')],
        '/react': ['text/html', html(searchParams, 'react.js')],
        '/page.js': ['text/javascript', PAGE],
        '/page.css': ['text/css', CSS],
        '/react.js': ['text/javascript', react],
        '/carillon-inbox.min.js': ['text/javascript', bundle],
      };
      const [type, body] = files[pathname] ?? ['text/plain', 'another page'];
      response.writeHead(200, { 'Content-Type': type, 'Content-Security-Policy': policy(searchParams) }).end(body);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new InboxPage(server, bundle, remove);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
    this.remove();
  }
}

const policy = (query: URLSearchParams) =>
  `default-src 'none'; script-src 'self'; style-src 'self'; connect-src ${query.get('url') ?? "'none'"};${query.has('images') ? ` img-src ${query.get('url')} https://acme.test;` : ''} require-trusted-types-for 'script'`;

function html(query: URLSearchParams, script: string): string {
  const attributes = [...query].map(([name, value]) => `${name}="${value}"`).join(' ');
  const element = script === 'page.js' ? `<carillon-inbox ${attributes}></carillon-inbox>` : '';
  const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Shop</title>
    <link rel="stylesheet" href="/page.css"><script type="module" src="/${script}"></script>`;
  return `<!doctype html><html lang="en"><head>${head}</head><body><main><h1>Shop</h1>${element}</main></body></html>`;
}

/** As an application that has the package installed bundles it. */
async function bundleReact(folder: string): Promise<Buffer> {
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, '@carillon'), { recursive: true });
  symlinkSync(join(folder, 'package'), join(modules, '@carillon', 'inbox'));
  for (const name of ['react', 'react-dom']) symlinkSync(join(root, 'node_modules', name), join(modules, name));
  writeFileSync(join(folder, 'react-page.js'), REACT_PAGE);
  const rolldown = join(root, 'node_modules', 'rolldown', 'bin', 'cli.mjs');
  const out = join(folder, 'react.js');
  const define = ['--transform.define', 'process.env.NODE_ENV:"production"'];
  const options = ['--format', 'esm', '--platform', 'browser', ...define, '--file', out];
  await run(process.execPath, [rolldown, 'react-page.js', ...options], { cwd: folder });
  return readFileSync(out);
}
