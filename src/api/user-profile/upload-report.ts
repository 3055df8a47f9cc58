import type { Response } from 'express';
import { pick } from '../../platform/field/error/field-error.js';
import type { FieldErrors } from '../../platform/field/error/field-error.js';

/** A client need not read while it sends: the answer must fit into memory. */
const MAX_ERRORS = 1000;

/** The answer to an upload: a line for each refused line, one after each batch, and one at the end. */
export class UploadReport {
  private readonly counts = { lines: 0, created: 0, replaced: 0, refused: 0 };

  constructor(private readonly response: Response) {
    // A proxy must not keep the progress back.
    response.writeHead(200, { 'Content-Type': 'application/x-ndjson', 'X-Accel-Buffering': 'no' });
  }

  refuse(line: number, errors: FieldErrors): void {
    this.counts.lines++;
    if (++this.counts.refused > MAX_ERRORS) return;
    this.write({ kind: 'error', line, errors: pick(errors, 'sentence'), codes: pick(errors, 'code') });
  }

  add({ created, written }: { created: number; written: number }): void {
    this.counts.lines += written;
    this.counts.created += created;
    this.counts.replaced += written - created;
    this.write({ kind: 'progress', ...this.counts });
  }

  /** `detail`: why some lines were not read. */
  end(detail?: string): void {
    this.write({ kind: 'summary', complete: detail === undefined, ...this.counts, ...(detail && { detail }) });
    this.response.end();
  }

  private write(line: object): void {
    this.response.write(`${JSON.stringify(line)}\n`);
  }
}
