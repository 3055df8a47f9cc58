/** A wait that ends early: when somebody asks, when the network is back, or when `signal` aborts. */
export class Pause {
  #end: () => void = () => undefined;

  end(): void {
    this.#end();
  }

  wait(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((done) => {
      const timer = setTimeout(() => this.#end(), ms);
      const unlisten = listen(() => this.#end(), signal, 'online');
      this.#end = () => {
        clearTimeout(timer);
        unlisten();
        done();
      };
      if (signal.aborted) this.#end();
    });
  }
}

/** Calls `then` when `signal` aborts or the window hears of `event`. */
export function listen(then: () => void, signal: AbortSignal, event: 'online' | 'offline'): () => void {
  signal.addEventListener('abort', then);
  globalThis.addEventListener?.(event, then);
  return () => {
    signal.removeEventListener('abort', then);
    globalThis.removeEventListener?.(event, then);
  };
}
