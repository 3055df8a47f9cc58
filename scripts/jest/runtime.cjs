// Jest would load every module anew for each test file, in a realm of its own: some 1,900 files for each that starts the app. Here Node loads
// them, once per worker. Test files share modules, as the requests of a service do.
const asyncHooks = require('node:async_hooks');
const { join, relative } = require('node:path');
const { pathToFileURL } = require('node:url');
const { default: Runtime } = require('jest-runtime');

const loaded = new Set();
const storages = [];

module.exports = class extends Runtime {
  unstable_shouldLoadAsEsm() {
    return true;
  }

  /** Loads a test file: its compiled form (compile.mjs). */
  async unstable_importModule(file) {
    if (loaded.has(file))
      throw new Error('this process has loaded it before, and would run the old one: stop Jest, and run it again');
    loaded.add(file);
    globalThis[Symbol.for('carillon.jest')] = this.jestGlobals.cjsGlobals(file); // see globals.mjs
    const { rootDir } = this._config;
    const compiled = join(rootDir, 'dist-test', relative(rootDir, file)).replace(/\.ts$/, '.js');
    await import(pathToFileURL(compiled).href);
  }

  /** Loads the part of Jest that collects and runs tests. It is new for each file, as it keeps the tests it has collected. */
  requireInternalModule(file) {
    delete globalThis[Symbol.for('EVENT_HANDLERS')];
    delete require.cache[file];
    for (const storage of storages.splice(0)) storage.disable();
    return withStorages(() => require(file));
  }
};

/**
 * Remembers each AsyncLocalStorage that `load` makes, to disable it before the next file. Jest does not: every promise of every later file
 * would carry the contexts of all earlier ones. After 70 files, one took half as much CPU time again.
 */
function withStorages(load) {
  const { AsyncLocalStorage } = asyncHooks;
  asyncHooks.AsyncLocalStorage = class extends AsyncLocalStorage {
    constructor(...args) {
      super(...args);
      storages.push(this);
    }
  };
  try {
    return load();
  } finally {
    asyncHooks.AsyncLocalStorage = AsyncLocalStorage;
  }
}
