import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ModulesContainer } from '@nestjs/core';
import { CellModule } from '../../src/cell/cell.module.js';
import { ForwardingModule } from '../../src/cell/forwarding/forwarding.module.js';
import { TestApp } from '../support/app/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await TestApp.start();
});
afterAll(() => app.stop());

it('loads no module of cells when none is configured', () => {
  const loaded = [...app.app.get(ModulesContainer).values()].map(({ metatype }) => metatype);
  expect(loaded.filter((module) => module === CellModule || module === ForwardingModule)).toEqual([]);
  expect(loaded.length).toBeGreaterThan(10);
});
