import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { Exchange } from '../../../bench/torture/faults/exchange.mjs';

/** Stands before PostgreSQL, and loses single answers. The connections themselves stay open and work on, as with a proxy that forgot a flow. */
export class ForgetfulProxy {
  private readonly sockets = new Set<Socket>();
  private readonly wanted: { statement: Pick<RegExp, 'test'>; lost: () => void }[] = [];
  /** Every statement that was sent. */
  readonly statements: string[] = [];

  private constructor(
    private readonly server: Server,
    private readonly target: URL,
  ) {
    server.on('connection', (client) => this.accept(client));
  }

  static async start(url: string): Promise<ForgetfulProxy> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new ForgetfulProxy(server, new URL(url));
  }

  /** The URL of the database through this proxy. */
  get url(): string {
    const { port } = this.server.address() as AddressInfo;
    return Object.assign(new URL(this.target), { port: String(port) }).href;
  }

  /** Loses the answer to the next such statement. Resolves when PostgreSQL has got the statement. */
  loseAnswerTo(statement: Pick<RegExp, 'test'>): Promise<void> {
    return new Promise((lost) => this.wanted.push({ statement, lost }));
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }

  private accept(near: Socket): void {
    const far = connect(Number(this.target.port), this.target.hostname);
    const { questions, answers } = new Exchange((statement) => this.isLost(statement));
    near.pipe(questions).pipe(far);
    far.pipe(answers).pipe(near);
    for (const socket of [near, far]) {
      this.sockets.add(socket.setNoDelay(true).on('error', () => undefined));
      socket.once('close', () => [near, far].forEach((each) => this.sockets.delete(each.destroy())));
    }
  }

  private isLost(statement: string): boolean {
    this.statements.push(statement);
    const index = this.wanted.findIndex((each) => each.statement.test(statement));
    if (index === -1) return false;
    this.wanted.splice(index, 1)[0]!.lost();
    return true;
  }
}
