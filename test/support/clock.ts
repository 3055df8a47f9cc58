import { jest } from '@jest/globals';

/**
 * The clocks of the app in the test's own process, `Date.now` and `performance.now`, which stand still and move when a test says so. For
 * rules about time: how often in a second, for how long, from when on.
 */
export class Clock {
  private moved = 0;
  private readonly stoodAt = { wall: Date.now(), monotonic: performance.now() };
  private readonly spies = [
    jest.spyOn(Date, 'now').mockImplementation(() => this.stoodAt.wall + this.moved),
    jest.spyOn(performance, 'now').mockImplementation(() => this.stoodAt.monotonic + this.moved),
  ];

  private constructor() {}

  /** Stops them while `work` is done. */
  static async stopped<T>(work: (clock: Clock) => Promise<T>): Promise<T> {
    const clock = new Clock();
    try {
      return await work(clock);
    } finally {
      for (const spy of clock.spies) spy.mockRestore();
    }
  }

  advance(ms: number): void {
    this.moved += ms;
  }

  /** The same for caches, which look at the clock once a millisecond. */
  async pass(ms: number): Promise<void> {
    this.advance(ms);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

/** Timers of just this length that the app in the test's own process starts meanwhile: they run out when the test says so. */
export async function withTimers<T>(ms: number, work: (runOut: () => void) => Promise<T>): Promise<T> {
  const real = globalThis.setTimeout;
  const held: (() => void)[] = [];
  const spy = jest.spyOn(globalThis, 'setTimeout').mockImplementation((callback: () => void, delay?: number) => {
    if (delay !== ms) return real(callback, delay);
    held.push(callback);
    return real(() => undefined, 0);
  });
  try {
    return await work(() => held.splice(0).forEach((callback) => callback()));
  } finally {
    spy.mockRestore();
  }
}
