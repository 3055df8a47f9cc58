import { RandomIdGenerator } from '@opentelemetry/sdk-trace-base';
import type { IdGenerator } from '@opentelemetry/sdk-trace-base';

/**
 * The trace of an occurrence has the occurrence's id, and its first span, the trigger, the second half of that: whoever works on
 * an occurrence, in any process, knows both, and nothing is stored. All other ids are random.
 */
export class OccurrenceIds implements IdGenerator {
  private readonly random = new RandomIdGenerator();
  private traceId: string | null = null;

  /** What `start` starts is the trigger of this occurrence. */
  of<Span>(occurrence: string, start: () => Span): Span {
    this.traceId = occurrence.replaceAll('-', '');
    try {
      return start();
    } finally {
      this.traceId = null;
    }
  }

  generateTraceId(): string {
    return this.traceId ?? this.random.generateTraceId();
  }

  generateSpanId(): string {
    return this.traceId?.slice(16) ?? this.random.generateSpanId();
  }
}
