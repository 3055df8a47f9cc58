import { Injectable } from '@nestjs/common';
import type { OnApplicationShutdown } from '@nestjs/common';
import { Renderer } from './renderer.js';

/** Renders simulations and previews, which are not sent. Both share one render process. */
@Injectable()
export class TrialRenderer extends Renderer implements OnApplicationShutdown {
  onApplicationShutdown(): Promise<void> {
    return this.close();
  }
}
