import { Transform } from 'node:stream';

const TYPE = 1;
const HEAD = 5;
/** What PostgreSQL sends without being asked: notices of others, and changed settings. */
const UNASKED = new Set(['A', 'N', 'S']);
const READY = 'Z';

/** Cuts a stream of PostgreSQL's protocol into its messages. `handle` returns whether to pass the message on. */
class Messages extends Transform {
  #rest = Buffer.alloc(0);
  #handle;
  #hasStartup;

  constructor(hasStartup, handle) {
    super();
    this.#hasStartup = hasStartup;
    this.#handle = handle;
  }

  _transform(chunk, _encoding, done) {
    let data = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk;
    const passed = [];
    for (let size; (size = this.#sizeOf(data)) <= data.length; data = data.subarray(size)) {
      const message = data.subarray(0, size);
      if (this.#hasStartup) {
        this.#hasStartup = false;
        passed.push(message);
      } else if (this.#handle(String.fromCharCode(message[0]), message)) passed.push(message);
    }
    this.#rest = data;
    done(null, passed.length > 0 ? Buffer.concat(passed) : undefined);
  }

  /** The first message of a client has a length only. */
  #sizeOf(data) {
    if (this.#hasStartup) return data.length < 4 ? Infinity : data.readInt32BE(0);
    return data.length < HEAD ? Infinity : TYPE + data.readInt32BE(TYPE);
  }
}

/** One connection to PostgreSQL, without TLS. Loses the answer to a statement when told to. The connection itself works on. */
export class Exchange {
  #named = new Map();
  #bound = '';
  #isLosing = false;
  #losesAnswerTo;

  /** From the client to PostgreSQL. */
  questions = new Messages(true, (type, message) => this.#asked(type, message));
  /** From PostgreSQL to the client. */
  answers = new Messages(false, (type) => this.#answered(type));

  /** @param {(statement: string) => boolean} losesAnswerTo asked before each statement is passed on */
  constructor(losesAnswerTo) {
    this.#losesAnswerTo = losesAnswerTo;
  }

  #asked(type, message) {
    if (type === 'P') {
      const [name, text] = texts(message, 2);
      this.#named.set(name, text);
    } else if (type === 'B') this.#bound = this.#named.get(texts(message, 2)[1]) ?? '';
    else if (type === 'Q') this.#isLosing ||= this.#losesAnswerTo(texts(message, 1)[0]);
    else if (type === 'S') this.#isLosing ||= this.#losesAnswerTo(this.#bound);
    return true;
  }

  #answered(type) {
    if (!this.#isLosing || UNASKED.has(type)) return true;
    if (type === READY) this.#isLosing = false;
    return false;
  }
}

/** The first texts of a message, each of which ends with a zero byte. */
function texts(message, count) {
  const found = [];
  for (let at = HEAD; found.length < count;) {
    const end = message.indexOf(0, at);
    found.push(message.toString('utf8', at, end));
    at = end + 1;
  }
  return found;
}
