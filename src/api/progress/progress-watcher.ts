import type { EventStream } from '../../platform/http/stream/event-stream.js';
import { isDone } from './progress.dto.js';
import type { ProgressDto } from './progress.dto.js';

/** One stream of progress. A slow reader skips progress that is already outdated. */
export class ProgressWatcher {
  private latest: ProgressDto | undefined;
  private showing = false;

  constructor(private readonly stream: EventStream) {}

  show(progress: ProgressDto): void {
    this.latest = progress;
    if (!this.showing) void this.showLatest();
  }

  private async showLatest(): Promise<void> {
    this.showing = true;
    for (let data = this.latest; data; data = this.latest) {
      this.latest = undefined;
      await this.stream.send({ event: 'progress', data });
      if (isDone(data)) {
        await this.stream.send({ event: 'done', data });
        this.stream.end();
      }
    }
    this.showing = false;
  }
}
