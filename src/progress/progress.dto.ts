import { ApiProperty } from '@nestjs/swagger';
import { OccurrenceStatus } from '../generated/prisma/enums.js';
import { CountsDto } from '../occurrence/rule.dto.js';

/** How far an occurrence has come. */
export class ProgressDto extends CountsDto {
  /** @example 'expanding' */
  @ApiProperty({ enum: OccurrenceStatus })
  status: OccurrenceStatus;
}

/** Whether nothing more is to come of it. */
export function isDone({ status, pending }: ProgressDto): boolean {
  return status === 'canceled' || status === 'failed' || (status === 'expanded' && pending === 0);
}
