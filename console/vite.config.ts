import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import type { Plugin } from 'vite';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** What `src/api/system/serve-console.ts` fills in, for `npm run dev`. */
const filledIn: Plugin = {
  name: 'filled-in',
  apply: 'serve',
  transformIndexHtml: (html) =>
    html.replace('%BASE%', '/console/').replace('%NONCE%', '').replace('%SESSION%', 'maybe'),
};

/** The page shows once its texts are there (`src/main.ts`). The files that show it are asked for at the same time. */
const preloaded: Plugin = {
  name: 'preloaded',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler(html, { bundle }) {
      const chunks = Object.values(bundle ?? {}).flatMap((file) => (file.type === 'chunk' ? [file] : []));
      const render = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith('/src/render.tsx'));
      if (!render) throw new Error('there is no file that shows the page');
      return [render.fileName, ...render.imports]
        .filter((file) => !html.includes(file))
        .map((file) => ({
          tag: 'link',
          attrs: { rel: 'modulepreload', crossorigin: true, href: `./${file}` },
          injectTo: 'head',
        }));
    },
  },
};

export default defineConfig(({ command }) => ({
  root: here('.'),
  // Links are relative: the service may be reached below another path.
  base: command === 'serve' ? '/console/' : './',
  plugins: [filledIn, preloaded],
  publicDir: false,
  resolve: {
    alias: {
      '@carillon/client': here('../clients/typescript/src/client.ts'),
      // The rule about colors that can be read is the same in mails, pages and here.
      '@carillon/check': here('../src/rules/check'),
      // Conditions are checked here as the service checks them.
      '@carillon/expression': here('../src/platform/field/expression'),
      // A file is read here as `carillon import` reads it.
      '@carillon/user-file': here('../src/rules/user-file'),
    },
  },
  build: {
    outDir: here('../dist/console/files'),
    emptyOutDir: true,
    target: 'es2022',
    // Its polyfill is an inline script, which our policy forbids.
    modulePreload: { polyfill: false },
    // A policy that allows `data:` for scripts or fonts would be a hole.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // The editor, which is loaded when it is needed.
    chunkSizeWarningLimit: 1000,
    rolldownOptions: {
      // React's mark for servers, in a thousand files of our libraries, means nothing here.
      onLog: (level, log, print) => log.code === 'MODULE_LEVEL_DIRECTIVE' || print(level, log),
    },
  },
}));
