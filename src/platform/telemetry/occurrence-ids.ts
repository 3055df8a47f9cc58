import { RandomIdGenerator } from '@opentelemetry/sdk-trace-base';
import type { IdGenerator } from '@opentelemetry/sdk-trace-base';

/**
 * The trace id of an occurrence is the occurrence's id. The id of its first span, the trigger, is the second half of that id. So every
 * process that works on an occurrence knows both, and nothing is stored. All other ids are random.
 */
export class OccurrenceIds implements IdGenerator {
  private readonly random = new RandomIdGenerator();
  private traceId: string | null = null;

  /** Gives the span that `start` creates the ids of this occurrence's trigger. */
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
