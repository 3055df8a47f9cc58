import { LRUCache } from 'lru-cache';

// A kernel delays an acknowledgement by 40 ms (Linux) to 200 ms.
const SHORTEST_STALL_MS = 30;
const LONGEST_STALL_MS = 250;
// In a row: when our own process or the server is busy for a moment, the messages on all ten connections are late once.
const STALLS = 25;
const WITHOUT_MS = 10 * 60 * 1000;

/** When the replies to the commands of one message came, after the commands were sent together. */
interface ReplyTimes {
  /** From the commands to the first reply. */
  firstMs: number;
  /** From the first reply to the last. */
  restMs: number;
}

/**
 * Decides for one server whether MAIL, RCPT and DATA are sent together. That saves two round trips. But a server that writes each
 * reply separately, without TCP_NODELAY, holds its second reply back until we acknowledge the first, and our kernel delays that
 * by 40 ms. When we send one command at a time, each command carries the acknowledgement.
 *
 * Measured on loopback, ten connections, 2,700 messages a second to a server that answers in single packets: to a server that
 * stalls, 0.09 of that rate with pipelining and 0.6 without. The rest is the CPU of four small packets instead of two (0.34
 * against 0.23 ms a message); twenty to fifty connections are no faster.
 */
export class Pipelining {
  private stalls = 0;
  private notBefore = 0;
  private joinNotBefore = 0;

  isUseful(now: number): boolean {
    return now >= this.notBefore;
  }

  note({ firstMs, restMs }: ReplyTimes, now: number): void {
    // Without pipelining a message takes two more round trips. They must cost clearly less than the stall.
    const isStall = restMs >= SHORTEST_STALL_MS && restMs <= LONGEST_STALL_MS && firstMs * 4 < restMs;
    this.stalls = isStall ? this.stalls + 1 : 0;
    if (this.stalls < STALLS) return;
    this.stalls = 0;
    this.notBefore = now + WITHOUT_MS;
  }

  /** Whether the commands of a message may join the content of the one before. */
  mayJoin(now: number): boolean {
    return now >= this.joinNotBefore;
  }

  /** The server may close the connection after each message, or refuse commands that come early. Then joining costs more than it saves. */
  noteJoiningFailed(now: number): void {
    this.joinNotBefore = now + WITHOUT_MS;
  }
}

/** Remembers the decision for each server, also while no connection to it is open. */
export class PipeliningByServer {
  private readonly servers = new LRUCache<string, Pipelining>({ max: 1000 });

  of(host: string, port: number): Pipelining {
    const key = `${host}:${port}`;
    const known = this.servers.get(key) ?? new Pipelining();
    this.servers.set(key, known);
    return known;
  }
}
