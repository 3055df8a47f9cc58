const EVERY_MS = 10_000;

/** Reports progress on the error stream: on one line at a terminal, otherwise on new lines, counts at most every 10 s. */
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

  /** Reports the progress of the current step. */
  count(done, total, what) {
    this.note(`${done.toLocaleString('en')} of ${total.toLocaleString('en')} ${what}`);
  }

  /** The same in other words. */
  note(text) {
    if (!this.#stream.isTTY && Date.now() - this.#saidAt < EVERY_MS) return;
    this.#say(`${this.#step}: ${text}`);
  }

  /** Reports something that happened, on a line that stays. */
  line(text) {
    this.end();
    this.#stream.write(`${text}\n`);
  }

  /** Clears the line, so that others can write. */
  end() {
    if (this.#stream.isTTY) this.#stream.write('\r\x1b[K');
  }

  #say(text) {
    this.#saidAt = Date.now();
    const line = `${this.#scenario}: ${text}`;
    this.#stream.write(this.#stream.isTTY ? `\r\x1b[K${line}` : `${line}\n`);
  }
}
