import { HttpSink } from './http-sink.js';

/** One span, as OTLP has it in JSON. */
export interface ReceivedSpan {
  name: string;
  kind: number;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: Record<string, unknown>;
  links: { traceId: string; spanId: string }[];
  status: { code?: number };
  /** Of the process that sent it. */
  resource: Record<string, unknown>;
}

type Entries = { key: string; value: Record<string, unknown> }[];
type Received = Omit<ReceivedSpan, 'attributes' | 'resource'> & { attributes: Entries };
interface Export {
  resourceSpans: { resource: { attributes: Entries }; scopeSpans: { spans: Received[] }[] }[];
}

const fields = (entries: Entries) =>
  Object.fromEntries(entries.map(({ key, value }) => [key, Object.values(value)[0]] as const));

/** A collector of OpenTelemetry traces on loopback: OTLP over HTTP, as JSON. */
export class TraceSink {
  private constructor(readonly http: HttpSink) {
    http.reply = ({ path }) => ({ status: path === '/v1/traces' ? 200 : 404, body: '{}' });
  }

  static async start(): Promise<TraceSink> {
    return new TraceSink(await HttpSink.start());
  }

  get url(): string {
    return this.http.url('');
  }

  /** Every span that has arrived, in the order of their start. */
  get spans(): ReceivedSpan[] {
    return this.http.requests
      .filter(({ path }) => path === '/v1/traces')
      .flatMap(({ body }) => (JSON.parse(body) as Export).resourceSpans)
      .flatMap(({ resource, scopeSpans }) =>
        scopeSpans.flatMap(({ spans }) =>
          spans.map((span) => ({
            ...span,
            attributes: fields(span.attributes),
            resource: fields(resource.attributes),
          })),
        ),
      )
      .sort((a, b) => Number(BigInt(a.startTimeUnixNano) - BigInt(b.startTimeUnixNano)));
  }

  close(): Promise<void> {
    return this.http.close();
  }
}
