import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A sink or a floor. It runs in its own process, so that it takes no time of the measured one. */
export class Part {
  #child;
  #questions = new Map();
  #count = 0;

  constructor(child, facts) {
    this.#child = child;
    this.facts = facts;
    child.on('message', ({ id, answer, problem }) => {
      const { resolve, reject } = this.#questions.get(id);
      this.#questions.delete(id);
      if (problem === undefined) resolve(answer);
      else reject(new Error(problem));
    });
  }

  get pid() {
    return this.#child.pid;
  }

  /**
   * @param {string} file such as `sinks/http.mjs`
   * @param {object} options
   * @param {(child: import('node:child_process').ChildProcess) => void} started called before the process is ready
   */
  static async start(file, options, started) {
    const path = fileURLToPath(new URL(`../${file}`, import.meta.url));
    const child = fork(path, [JSON.stringify(options)], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      execArgv: [],
    });
    started(child);
    const ended = once(child, 'exit').then(([code]) => Promise.reject(new Error(`${file} ended with ${code}`)));
    ended.catch(() => undefined);
    const [{ facts }] = await Promise.race([once(child, 'message'), ended]);
    return new Part(child, facts);
  }

  /** @returns {Promise<any>} */
  ask(question, argument) {
    return new Promise((resolve, reject) => {
      const id = ++this.#count;
      this.#questions.set(id, { resolve, reject });
      this.#child.send({ id, question, argument });
    });
  }
}
