import { Inject, Injectable } from '@nestjs/common';
import type { OnApplicationShutdown } from '@nestjs/common';
import { CONFIG } from '../../platform/config/config.js';
import type { Config } from '../../platform/config/config.js';
import { mjmlOf } from '../template/mjml/convert-parts.js';
import { templateLength } from '../template/template.js';
import type { TranslatedParts } from '../template/template.js';
import { Renderer } from './renderer.js';

/** About 10 ms. Nothing interrupts the parsing of a template or its conversion from MJML, so the render process does the longer ones. */
const HERE_MAX_LENGTH = 16 * 1024;

export const isParsedHere = (parts: TranslatedParts) =>
  templateLength(parts) <= HERE_MAX_LENGTH && mjmlOf(parts) === null;

/** Renders and inspects simulations, previews and drafts, which are not sent. They share one render process. */
@Injectable()
export class TrialRenderer extends Renderer implements OnApplicationShutdown {
  constructor(@Inject(CONFIG) { publicUrl }: Pick<Config, 'publicUrl'>) {
    super({}, isParsedHere, publicUrl);
  }

  onApplicationShutdown(): Promise<void> {
    return this.close();
  }
}
