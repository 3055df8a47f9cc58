import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@nestjs/common';
import { DiagLogLevel, ROOT_CONTEXT, SpanKind, SpanStatusCode, diag, trace } from '@opentelemetry/api';
import type { Attributes, Context, Span as OtelSpan, SpanOptions } from '@opentelemetry/api';
import { parseTraceParent } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { version } from '../config/version.js';
import { OccurrenceIds } from './occurrence-ids.js';

/** A collector that does not answer must not delay the end of the process. */
const FLUSH_MS = 3000;

/** The trigger of an occurrence. */
interface TriggerSpan {
  occurrence: string;
  startedAt: number;
  attributes: Attributes;
  /** The caller's own trace. It is linked, not continued: one trace of a caller may trigger many occurrences. */
  traceparent?: string;
  /** The occurrence that this one repeats. */
  replayOf?: string;
}

/**
 * Spans for OpenTelemetry: trigger, expand, deliver and each call to a provider. Each occurrence has one trace, across all processes.
 * Spans carry ids and types, and never an address, a content or a secret.
 */
export class Traces {
  private readonly ids = new OccurrenceIds();
  private readonly provider: BasicTracerProvider;
  private readonly tracer;

  constructor(role: string, logger: Logger) {
    const warn = (message: string) => logger.warn({ message: 'traces', error: message });
    diag.setLogger(
      { error: warn, warn, info: () => undefined, debug: () => undefined, verbose: () => undefined },
      { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
    );
    const own = resourceFromAttributes({
      'service.name': 'carillon',
      'service.version': version,
      // Of this process: several processes may have one name and one host.
      'service.instance.id': randomUUID(),
      'carillon.role': role,
    });
    this.provider = new BasicTracerProvider({
      resource: own.merge(detectResources({ detectors: [envDetector] })),
      idGenerator: this.ids,
      spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
    });
    this.tracer = this.provider.getTracer('carillon', version);
  }

  /** Records a trigger that has just been stored. */
  triggered({ occurrence, startedAt, attributes, traceparent, replayOf }: TriggerSpan): void {
    const caller = traceparent === undefined ? null : parseTraceParent(traceparent);
    const first = replayOf === undefined ? null : this.trigger(replayOf, {}).spanContext();
    const links = [caller, first].filter((context) => context !== null).map((context) => ({ context }));
    this.trigger(occurrence, { startTime: startedAt, attributes, links }).end();
  }

  /** Records work on an occurrence, also when it fails. */
  async during<Result>(name: string, occurrence: string, work: (span: TraceSpan) => Promise<Result>): Promise<Result> {
    const span = this.start(name, occurrence);
    try {
      return await work(span);
    } catch (error) {
      span.failed();
      throw error;
    } finally {
      span.end();
    }
  }

  /** Starts to record work on an occurrence. */
  start(name: string, occurrence: string): TraceSpan {
    // The trigger's ids decide whether the trace is sampled. Its span has ended, maybe in another process, so an equal one is made here.
    const parent = trace.setSpan(ROOT_CONTEXT, this.trigger(occurrence, {}));
    const attributes = { 'carillon.occurrence.id': occurrence, ...messaging(name, 'process') };
    return this.begin(name, { kind: SpanKind.CONSUMER, attributes }, parent);
  }

  async flush(): Promise<void> {
    await Promise.race([this.provider.shutdown().catch(() => undefined), sleep(FLUSH_MS, undefined, { ref: false })]);
  }

  private trigger(occurrence: string, options: SpanOptions): OtelSpan {
    return this.ids.of(occurrence, () =>
      this.tracer.startSpan('trigger', { kind: SpanKind.SERVER, ...options }, ROOT_CONTEXT),
    );
  }

  private begin(name: string, options: SpanOptions, parent: Context): TraceSpan {
    const span = this.tracer.startSpan(name, options, parent);
    return new TraceSpan(span, (childName, attributes) =>
      this.begin(
        childName,
        { kind: SpanKind.CLIENT, attributes: { ...messaging('send', 'send'), ...attributes } },
        trace.setSpan(parent, span),
      ),
    );
  }
}

/** The attributes of OpenTelemetry's messaging conventions. */
const messaging = (name: string, type: 'process' | 'send'): Attributes => ({
  'messaging.system': 'carillon',
  'messaging.operation.name': name,
  'messaging.operation.type': type,
});

/** Running work. */
export class TraceSpan {
  constructor(
    private readonly span: OtelSpan,
    /** Starts a child span for a call to another system. */
    readonly call: (name: string, attributes: Attributes) => TraceSpan,
  ) {}

  add(attributes: Attributes): void {
    this.span.setAttributes(attributes);
  }

  failed(): void {
    this.span.setStatus({ code: SpanStatusCode.ERROR });
  }

  end(): void {
    this.span.end();
  }
}
