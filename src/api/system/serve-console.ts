import { randomBytes } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { HttpServer } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Request, Response } from 'express';
import { root } from '../../platform/config/root.js';
import { FixedDocument } from '../../platform/http/fixed-document.js';
import { answerProblem } from '../../platform/http/problem.filter.js';
import { notFound } from '../../platform/http/problem.js';
import { MESSAGE_FRAME, MESSAGE_FRAME_POLICY } from './message-frame.js';

/** Where the build puts them: also for tests, which run the sources. */
const FOLDER = join(root, 'dist', 'console', 'files');
const HTML = 'text/html; charset=utf-8';
const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** The addresses of pages below `/console/`; the longest is `o/demo/events/shop/web/order-paid`. */
const PAGES = ['', '/o/:org', '/o/:org/:page', '/o/:org/:page/:a', '/o/:org/:page/:a/:b', '/o/:org/:page/:a/:b/:c'];

/** Serves the console: its files, and for each address of a page the same document, which finds its files from there. */
export function serveConsole(app: NestExpressApplication, hasSession: (request: Request) => boolean): void {
  const adapter = app.getHttpAdapter() as unknown as HttpServer<Request, Response>;
  const files = lazily(readFiles);
  const sendPage = (request: Request, response: Response) => {
    const [base, nonce] = [wayBack(request), randomBytes(16).toString('base64')];
    const session = hasSession(request) ? 'maybe' : 'none';
    response.setHeader('Content-Type', HTML);
    response.setHeader('Content-Security-Policy', policy(nonce));
    response.end(
      files()
        .page.replaceAll('./assets/', `${base}assets/`)
        .replace('%BASE%', base)
        .replace('%NONCE%', nonce)
        .replace('%SESSION%', session),
    );
  };
  for (const path of PAGES) adapter.get(`/console${path}`, sendPage);
  adapter.get('/console/message', sendMessageFrame);
  adapter.get('/console/assets/:file', (request: Request, response: Response) => {
    const file = files().assets.get(request.params.file as string);
    if (!file) return answerProblem(response, notFound('file'));
    // The name of a file holds a hash of its content.
    response.setHeader('Cache-Control', 'public, max-age=31536000, immutable');
    return file.send(request, response);
  });
}

/** Read for the first request: tests and `npm run dev` start the service without a build of the console. */
function readFiles() {
  const page = readFileSync(join(FOLDER, 'index.html'), 'utf8');
  const assets = new Map(readdirSync(join(FOLDER, 'assets')).map((name) => [name, asset(name)]));
  return { page, assets };
}

const asset = (name: string) =>
  new FixedDocument(TYPES[extname(name)]!, () => readFileSync(join(FOLDER, 'assets', name)));

function lazily<T>(read: () => T): () => T {
  let value: T | undefined;
  return () => (value ??= read());
}

function sendMessageFrame(_request: Request, response: Response): void {
  response.setHeader('Content-Type', HTML);
  response.setHeader('Content-Security-Policy', MESSAGE_FRAME_POLICY);
  response.setHeader('X-Frame-Options', 'SAMEORIGIN');
  response.end(MESSAGE_FRAME);
}

/** From an address to `console/`. Relative, because a proxy may serve it below another path: `../../` for `/console/o/demo`. */
function wayBack({ path }: Request): string {
  const slashes = path.replace(/^\/console/i, '').split('/').length - 1;
  return slashes === 0 ? './console/' : './' + '../'.repeat(slashes - 1);
}

/** Scripts and styles come from our files; libraries may add styles with the nonce. Nothing is loaded from or sent to another host. */
const policy = (nonce: string) =>
  [
    `default-src 'none'`,
    `script-src 'self'`,
    `style-src 'self' 'nonce-${nonce}'`,
    `connect-src 'self'`,
    `img-src 'self' data:`,
    `font-src 'self'`,
    `frame-src 'self'`,
    `form-action 'self'`,
    `frame-ancestors 'none'`,
    `base-uri 'none'`,
    `require-trusted-types-for 'script'`,
    `trusted-types 'none'`,
  ].join('; ');
