/** What a run has seen: how many answers of which kind, and what was wrong. */
export class Results {
  requests = 0;
  /** Statuses of each operation, by its id. */
  statuses = new Map();
  /** @type {Map<string, { kind: string, where: string, text: string, count: number, request: any }>} */
  findings = new Map();
  /** Answers of 503 with Retry-After, after which the client sent the request again. */
  busy = 0;
  sequences = 0;
  races = 0;
  raw = 0;

  /** @param {(finding: any) => void} announce is told each new finding at once */
  constructor(announce = () => undefined) {
    this.announce = announce;
  }

  count({ id }, { status }) {
    this.requests++;
    const of = this.statuses.get(id) ?? this.statuses.set(id, new Map()).get(id);
    const key = status ?? 0;
    of.set(key, (of.get(key) ?? 0) + 1);
  }

  isNew(finding, operation) {
    return !this.findings.has(keyOf(finding, operation));
  }

  /** Keeps the shortest request of all with the same finding. */
  add(finding, operation, request) {
    const key = keyOf(finding, operation);
    const known = this.findings.get(key);
    if (known) {
      known.count++;
      if (request && sizeOf(request) < sizeOf(known.request)) Object.assign(known, finding, { request });
      return;
    }
    const first = { ...finding, where: operation.id, count: 1, request };
    this.findings.set(key, first);
    this.announce(first);
  }
}

/** The same fault of the same operation, whatever ids and values its text names. */
const keyOf = ({ kind, text }, { id }) => `${kind} ${id} ${text.replace(/[\w-]*\d[\w-]*/g, '#').slice(0, 80)}`;

const sizeOf = ({ path, headers, body = '' }) => path.length + JSON.stringify(headers).length + body.length;
