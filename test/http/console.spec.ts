import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { root } from '../../src/platform/config/root.js';
import type { TestApp } from '../support/app/app.js';
import { useApp } from '../support/app/use.js';

const FILES = join(root, 'dist', 'console', 'files');

let app: TestApp;
useApp({}, (started) => (app = started));

const script = (name: string) => readFileSync(join(FILES, 'assets', name), 'utf8');

/** With what they cannot run without: what they read later is called by `import()`. */
function withImports(names: string[]): string[] {
  const found = new Set(names);
  for (const name of found)
    for (const [, imported] of script(name).matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g)) found.add(imported!);
  return [...found];
}

const filesOf = (page: string, from: string) =>
  [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link]) => new URL(link!, app.url + from).pathname);

describe('the console', () => {
  it.each(['/console', '/console/', '/console/o/acme', '/console/o/acme/events/shop/web/order-paid'])(
    '%s finds its files',
    async (path) => {
      const page = await app.as().get(path);
      expect([page.status, page.type]).toEqual([200, 'text/html']);
      const files = filesOf(page.text, path);
      expect(files.length).toBeGreaterThan(2);
      for (const file of files) {
        const { status, headers } = await app.as().get(file);
        expect([file, status, headers['cache-control']]).toEqual([file, 200, 'public, max-age=31536000, immutable']);
      }
    },
  );

  it('says nothing about pages and files that do not exist', async () => {
    for (const path of ['/console/assets/nosuch.js', '/console/nosuch', '/console/o/a/b/c/d/e/f/g'])
      expect([path, (await app.as().get(path)).status]).toEqual([path, 404]);
  });

  it('runs only its own scripts, and has a new nonce each time', async () => {
    const [first, second] = [await app.as().get('/console/'), await app.as().get('/console/')];
    const policy = first.headers['content-security-policy']!;
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self' 'nonce-[^']{24}'; /);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(policy).not.toContain('unsafe');
    expect(second.headers['content-security-policy']).not.toBe(policy);
    expect(first.text).toContain(/'nonce-([^']+)'/.exec(policy)![1]);
    expect(first.text).not.toMatch(/<script(?![^>]* src=)/);
  });

  it('shows messages in a frame without an origin, which only the console can show', async () => {
    const { headers } = await app.as().get('/console/message');
    expect(headers['content-security-policy']).toMatch(
      /^sandbox allow-scripts; default-src 'none'; script-src 'sha256-/,
    );
    expect(headers['content-security-policy']).toContain("frame-ancestors 'self'");
    expect(headers['x-frame-options']).toBe('SAMEORIGIN');
  });

  it.each(['en', 'de'])(
    'needs at most 200 KB of compressed JavaScript before the first page shows (%s)',
    (language) => {
      const page = readFileSync(join(FILES, 'index.html'), 'utf8');
      const scripts = readdirSync(join(FILES, 'assets')).filter((name) => name.endsWith('.js'));
      const parts = [
        scripts.filter((name) => page.includes(name)),
        scripts.filter((name) => name.startsWith('now-')),
        scripts.filter((name) => name.startsWith(`${language}-`)),
      ];
      expect(parts.every(({ length }) => length > 0)).toBe(true);
      const bytes = withImports(parts.flat()).map((name) => gzipSync(script(name)).length);
      expect(bytes.reduce((sum, size) => sum + size)).toBeLessThan(200 * 1024);
    },
  );
});
