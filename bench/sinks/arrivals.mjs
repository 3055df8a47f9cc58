import { now } from '../measure/clock.mjs';

// For the test of the benchmark: the message of this number goes uncounted.
const LOST = Number(process.env.BENCH_SINK_LOSES ?? 0);

/** What a sink has been sent, by the id `occurrence.delivery` that every message carries. */
export class Arrivals {
  #sample = null;

  constructor() {
    this.reset();
  }

  /** What a sink can be asked. */
  get answers() {
    return {
      reset: () => this.reset(),
      received: () => this.received,
      /** When the first and the last came, and how many different ones there were. */
      summary: () => ({
        received: this.received,
        distinct: this.deliveries.size,
        firstAt: this.firstAt,
        lastAt: this.lastAt,
      }),
      /** When the first message of each occurrence came, and how many. */
      occurrences: () => [...this.occurrences],
      /** The first message it ever got. */
      sample: () => this.#sample,
    };
  }

  get wantsSample() {
    return this.#sample === null;
  }

  reset() {
    this.came = 0;
    this.received = 0;
    this.firstAt = null;
    this.lastAt = null;
    this.deliveries = new Set();
    this.occurrences = new Map();
  }

  keepSample(sample) {
    this.#sample ??= sample;
  }

  note(id) {
    const at = now();
    if (++this.came === LOST) return;
    const [occurrence, delivery] = id.split('.');
    this.received++;
    this.firstAt ??= at;
    this.lastAt = at;
    this.deliveries.add(Number(delivery));
    const known = this.occurrences.get(occurrence);
    if (known) known.received++;
    else this.occurrences.set(occurrence, { at, received: 1 });
  }
}
