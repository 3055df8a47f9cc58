const EVERY_MS = 10_000;

/** Says on the error stream what is going on: in place for a person who watches, now and then for a log. */
export class Progress {
  #stream;
  #scenario = '';
  #step = '';
  #saidAt = 0;

  constructor(stream = process.stderr) {
    this.#stream = stream;
  }

  begin(scenario) {
    this.#scenario = scenario;
  }

  step(text) {
    this.#step = text;
    this.#say(text);
  }

  /** How far the step has come. */
  count(done, total, what) {
    if (!this.#stream.isTTY && Date.now() - this.#saidAt < EVERY_MS) return;
    this.#say(`${this.#step}: ${done.toLocaleString('en')} of ${total.toLocaleString('en')} ${what}`);
  }

  /** Leaves the stream to others. */
  end() {
    if (this.#stream.isTTY) this.#stream.write('\r\x1b[K');
  }

  #say(text) {
    this.#saidAt = Date.now();
    const line = `${this.#scenario}: ${text}`;
    this.#stream.write(this.#stream.isTTY ? `\r\x1b[K${line}` : `${line}\n`);
  }
}
