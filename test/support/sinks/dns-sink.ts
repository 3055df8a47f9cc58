import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { once } from 'node:events';

/** The addresses of a name; `silence` for no answer ever, undefined for "no such name". */
export type Zone = (name: string) => readonly string[] | 'silence' | undefined;

/** The TXT records of a name; `silence` for no answer ever, undefined for "no such name". */
export type Texts = (name: string) => readonly string[] | 'silence' | undefined;

const QUESTION_AT = 12;
const TYPE_A = 1;
const TYPE_TXT = 16;
const NO_SUCH_NAME = 3;

/** A real name server on loopback, over UDP, with IPv4 addresses and texts. It remembers what it was asked. */
export class DnsSink {
  /** Every name that was asked for, once for its IPv4 addresses and once for its IPv6 addresses. */
  readonly asked: string[] = [];
  private readonly held: (() => void)[] = [];
  private holds = false;

  private constructor(
    private readonly socket: Socket,
    private readonly zone: Zone,
    private readonly texts: Texts,
  ) {
    socket.on('message', (query, from) => this.answer(query, from));
  }

  static async start(zone: Zone, texts: Texts = () => undefined): Promise<DnsSink> {
    const socket = createSocket('udp4');
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    return new DnsSink(socket, zone, texts);
  }

  /** As a resolver takes it. */
  get server(): string {
    return `127.0.0.1:${this.socket.address().port}`;
  }

  /** How often a name was asked for. */
  timesAsked(name: string): number {
    return this.asked.filter((each) => each === name).length / 2;
  }

  /** Keeps all answers back until `release`. */
  hold(): void {
    this.holds = true;
  }

  release(): void {
    this.holds = false;
    for (const send of this.held.splice(0)) send();
  }

  close(): void {
    this.socket.close();
  }

  private answer(query: Buffer, from: RemoteInfo): void {
    const { name, end } = readName(query);
    this.asked.push(name);
    const type = query.readUInt16BE(end);
    const found = type === TYPE_TXT ? this.texts(name) : this.zone(name);
    if (found === 'silence') return;
    const records =
      type === TYPE_TXT ? found?.map(textRecord) : found?.filter(() => type === TYPE_A).map(addressRecord);
    const response = responseTo(query, end + 4, records);
    const send = (): void => this.socket.send(response, from.port, from.address);
    if (this.holds) this.held.push(send);
    else send();
  }
}

function readName(query: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = QUESTION_AT;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 };
}

/** The question again, and its records. */
function responseTo(query: Buffer, questionEnd: number, records: readonly Buffer[] | undefined): Buffer {
  const head = Buffer.from(query.subarray(0, questionEnd));
  head.writeUInt16BE(0x8180 | (records === undefined ? NO_SUCH_NAME : 0), 2);
  head.writeUInt16BE(records?.length ?? 0, 6);
  head.writeUInt32BE(0, 8); // neither authority nor additional records
  return Buffer.concat([head, ...(records ?? [])]);
}

const addressRecord = (address: string): Buffer => recordOf(TYPE_A, Buffer.from(address.split('.').map(Number)));

/** In strings of at most 255 bytes. */
function textRecord(text: string): Buffer {
  const strings = text.match(/[^]{1,255}/g) ?? [''];
  return recordOf(TYPE_TXT, Buffer.concat(strings.map((each) => Buffer.from([each.length, ...Buffer.from(each)]))));
}

function recordOf(type: number, data: Buffer): Buffer {
  const length = [data.length >> 8, data.length & 0xff];
  return Buffer.concat([Buffer.from([0xc0, QUESTION_AT, 0, type, 0, 1, 0, 0, 0, 60, ...length]), data]);
}
