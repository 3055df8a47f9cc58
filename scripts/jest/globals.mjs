// Stands in for @jest/globals. Modules are loaded once for many test files: each name is what it is for the file that runs.
const find = (path) => path.reduce((found, name) => found[name], globalThis[Symbol.for('carillon.jest')]);

const current = (...path) =>
  new Proxy(function () {}, {
    apply: (_, __, args) => find(path.slice(0, -1))[path.at(-1)](...args),
    get: (_, name) => (isPlain(find([...path, name])) ? find([...path, name]) : current(...path, name)),
  });

const isPlain = (value) => value === null || !['function', 'object'].includes(typeof value);

export const afterAll = current('afterAll');
export const afterEach = current('afterEach');
export const beforeAll = current('beforeAll');
export const beforeEach = current('beforeEach');
export const describe = current('describe');
export const expect = current('expect');
export const it = current('it');
export const jest = current('jest');
export const test = current('test');
