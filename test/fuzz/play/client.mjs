import { Pool } from 'undici';

/** Far more than any answer takes. A request without an answer for this long hangs. */
const DEADLINE_MS = 60_000;
/** How long to listen to a stream, which would last minutes. */
const LISTEN_MS = 100;

/** Sends requests to the processes of the service in turn, on connections that stay open. */
export class Client {
  #pools;
  #deadlineMs;
  #next = 0;

  /** @param {string[]} urls */
  constructor(urls, { connections = 64, deadlineMs = DEADLINE_MS } = {}) {
    this.#deadlineMs = deadlineMs;
    const timeouts = { headersTimeout: deadlineMs, bodyTimeout: deadlineMs };
    this.#pools = urls.map((url) => new Pool(url, { connections, pipelining: 1, ...timeouts }));
  }

  /**
   * @param {import('../generate/request.mjs').Request} request
   * @returns {Promise<import('../check/check.mjs').Answer>}
   */
  async send({ method, path, headers, body }, isStream = false) {
    const pool = this.#pools[this.#next++ % this.#pools.length];
    try {
      const answer = await pool.request({ method, path, headers, body: body ?? null });
      const isOpen = isStream && answer.statusCode === 200;
      const text = isOpen ? await listen(answer.body) : await answer.body.text();
      return { status: answer.statusCode, headers: answer.headers, text };
    } catch (error) {
      const isHang = error.code === 'UND_ERR_HEADERS_TIMEOUT' || error.code === 'UND_ERR_BODY_TIMEOUT';
      return { lost: isHang ? `nothing within ${this.#deadlineMs / 1000} s` : String(error.message), isHang };
    }
  }

  async close() {
    await Promise.all(this.#pools.map((pool) => pool.destroy()));
  }
}

/** What a stream says in its first moment. Then the client leaves. */
async function listen(body) {
  let text = '';
  body.on('data', (chunk) => (text += chunk));
  body.on('error', () => undefined);
  await new Promise((resolve) => {
    body.once('end', resolve);
    setTimeout(resolve, LISTEN_MS);
  });
  body.destroy();
  return text;
}
