import { now } from '../measure/clock.mjs';

// For the test of the benchmark: the message with this number is not counted.
const LOST = Number(process.env.BENCH_SINK_LOSES ?? 0);

/** Counts the messages that a sink received, by the id `occurrence.delivery` in each message. */
export class Arrivals {
  #sample = null;

  constructor() {
    this.reset();
  }

  /** The questions that a sink answers. */
  get answers() {
    return {
      reset: () => this.reset(),
      received: () => this.received,
      /** The times of the first and the last message, and the number of different messages. */
      summary: () => ({
        received: this.received,
        distinct: this.deliveries.size,
        firstAt: this.firstAt,
        lastAt: this.lastAt,
      }),
      /** The time of the first message of each occurrence, and the number of its messages. */
      occurrences: () => [...this.occurrences],
      /** The first message that the sink received. */
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
