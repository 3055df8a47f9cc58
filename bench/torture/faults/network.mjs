// The network between the processes of the service and PostgreSQL: a line for each process, which can become a black hole. It can also
// lose the answer to a single statement.
import { connect, createServer } from 'node:net';
import { answerParent, options } from '../../world/parent.mjs';
import { Exchange } from './exchange.mjs';
import { LostAnswers } from './lost-answers.mjs';

const { port, lines: count } = options;
const lost = new LostAnswers();

/** One process's connections to PostgreSQL. */
class Line {
  #connections = new Set();
  #isHole = false;

  async listen() {
    const server = createServer((client) => this.#accept(client));
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    return server.address().port;
  }

  #accept(client) {
    const exchange = new Exchange((statement) => lost.isNext(statement));
    const connection = { client, server: null, exchange };
    this.#connections.add(connection);
    client.on('error', () => undefined);
    client.once('close', () => this.#closed(connection));
    if (this.#isHole) client.pause();
    else this.#open(connection);
  }

  #open(connection) {
    const server = connect(port, '127.0.0.1');
    connection.server = server;
    server.on('error', () => undefined);
    server.once('close', () => this.#closed(connection));
    connection.exchange.questions.pipe(server);
    connection.exchange.answers.pipe(connection.client);
    this.#flow(connection);
  }

  #flow({ client, server, exchange }) {
    client.pipe(exchange.questions);
    server.pipe(exchange.answers);
  }

  /** In a black hole one side does not hear that the other has gone. */
  #closed(connection) {
    if (!this.#isHole) this.#destroy(connection);
  }

  #destroy(connection) {
    this.#connections.delete(connection);
    connection.client.destroy();
    connection.server?.destroy();
  }

  /**
   * Nothing passes any more. New connections are accepted and get no answer.
   * @param {boolean} isSplit PostgreSQL gives the sessions up at once, as it does after a longer time; the process hears nothing of it
   */
  swallow(isSplit) {
    this.#isHole = true;
    for (const { client, server } of this.#connections) {
      client.unpipe();
      server?.unpipe();
      client.pause();
      server?.pause();
      if (isSplit) server?.destroy();
    }
  }

  /** @param {boolean} isReset whether the connections are lost; otherwise what was sent arrives now */
  heal(isReset) {
    this.#isHole = false;
    for (const connection of this.#connections) {
      const { client, server } = connection;
      if (isReset || client.destroyed || server?.destroyed) this.#destroy(connection);
      else if (server) this.#flow(connection);
      else this.#open(connection);
    }
  }
}

const lines = Array.from({ length: count }, () => new Line());
const ports = await Promise.all(lines.map((line) => line.listen()));
answerParent(
  {
    swallow: ({ line, isSplit }) => lines[line].swallow(isSplit),
    heal: ({ line, isReset }) => lines[line].heal(isReset),
    loseAnswer: () => lost.lose(),
  },
  { ports },
);
