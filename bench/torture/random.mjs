/** Random choices that a seed repeats (mulberry32). */
export class Random {
  #state;

  /** @param {number} seed */
  constructor(seed) {
    this.#state = seed;
  }

  /** From `min` up to, but not including, `max`. */
  between(min, max) {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return min + (((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * (max - min);
  }

  /**
   * @template Item
   * @param {Item[]} items
   */
  one(items) {
    return items[Math.floor(this.between(0, items.length))];
  }
}
