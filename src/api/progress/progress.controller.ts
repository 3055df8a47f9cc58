import { Controller, Get, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Permission } from '../../auth/permission.js';
import { RequirePermission } from '../../auth/require-permission.decorator.js';
import { CurrentScope } from '../../auth/scope.js';
import type { Scope } from '../../auth/scope.js';
import { AnswersEvents } from '../../platform/http/stream/answers-events.decorator.js';
import { ProgressDto } from './progress.dto.js';
import { ProgressService } from './progress.service.js';

@ApiTags('Occurrences')
@Controller('api/o/:org/occurrences/:occurrence/stream')
export class ProgressController {
  constructor(private readonly progress: ProgressService) {}

  /**
   * Follow the progress of an occurrence.
   *
   * @remarks Server-sent events: `progress` at once and after every change, and `done` when nothing is left to be sent, or when the
   * occurrence was canceled or has failed. Close the stream on `done`: otherwise a browser reconnects. A stream ends after five
   * minutes at most; then connect again.
   */
  @Get()
  @RequirePermission(Permission.OccurrenceRead)
  @AnswersEvents('Events; the `data` of each is the progress.', ProgressDto)
  streamProgress(@CurrentScope() scope: Scope, @Res() response: Response): Promise<void> {
    return this.progress.open(scope, response);
  }
}
