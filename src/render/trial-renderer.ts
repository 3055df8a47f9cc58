import { Injectable } from '@nestjs/common';
import type { OnApplicationShutdown } from '@nestjs/common';
import { Renderer } from './renderer.js';

/** Renders what is only tried out, beside the API: simulations and previews share one render process. */
@Injectable()
export class TrialRenderer extends Renderer implements OnApplicationShutdown {
  onApplicationShutdown(): Promise<void> {
    return this.close();
  }
}
