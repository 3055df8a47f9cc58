import { jest } from '@jest/globals';
import type { Database } from '../../../src/platform/database/database.js';

/** The named statements of a database, from now on. They are sent all the same. */
export class Statements {
  private readonly spy: jest.SpiedFunction<Database['query']>;

  constructor(database: Database) {
    this.spy = jest.spyOn(database, 'query');
  }

  get names(): string[] {
    return this.spy.mock.calls.map(([name]) => name);
  }

  /** The first parameter of each statement with this name. */
  of(name: string): unknown[] {
    return this.spy.mock.calls.filter(([each]) => each === name).map(([, , [first]]) => first);
  }

  /** Waits for all of them, and for those that follow them. */
  async settled(): Promise<void> {
    let before = -1;
    while (before !== this.spy.mock.calls.length) {
      before = this.spy.mock.calls.length;
      await Promise.allSettled(this.spy.mock.results.map(({ value }) => value));
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  forget(): void {
    this.spy.mockClear();
  }
}
