import { setTimeout as sleep } from 'node:timers/promises';

const KIND_LENGTH = 70;
/** Kinds that do not come in this time are tried later. */
const PATIENCE_MS = 3000;

/** A statement is known by its beginning: lists of columns and conditions vary. */
const kindOf = (statement) => statement.replace(/\s+/g, ' ').trim().slice(0, KIND_LENGTH);

/** Chooses the statements whose answers are lost, so that each kind of statement that the service sends has its turn. */
export class LostAnswers {
  /** How often each kind was chosen. */
  #chosen = new Map();
  #wanted = null;

  /** Whether the answer to this statement is lost. */
  isNext(statement) {
    const kind = kindOf(statement);
    if (!this.#chosen.has(kind)) this.#chosen.set(kind, 0);
    if (this.#wanted?.kind !== kind) return false;
    this.#wanted.resolve();
    this.#wanted = null;
    return true;
  }

  /** Loses one answer, to the kind that was chosen least often. Resolves to the kind. */
  async lose() {
    for (;;) {
      const [kind] = [...this.#chosen].sort(([, a], [, b]) => a - b)[0] ?? [];
      if (kind !== undefined && (await this.#loseOne(kind))) return kind;
      if (kind === undefined) await sleep(100);
    }
  }

  async #loseOne(kind) {
    this.#chosen.set(kind, this.#chosen.get(kind) + 1);
    const lost = new Promise((resolve) => (this.#wanted = { kind, resolve: () => resolve(true) }));
    const isLost = await Promise.race([lost, sleep(PATIENCE_MS, false)]);
    if (!isLost) this.#wanted = null;
    return isLost;
  }
}
