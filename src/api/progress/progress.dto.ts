import { ApiProperty } from '@nestjs/swagger';
import { OccurrenceStatus } from '../../platform/database/generated/prisma/enums.js';
import { CountsDto } from '../occurrence/rule.dto.js';

/** The progress of an occurrence. */
export class ProgressDto extends CountsDto {
  /** @example 'expanding' */
  @ApiProperty({ enum: OccurrenceStatus })
  status: OccurrenceStatus;
}

/** Whether the progress will not change any more. */
export function isDone({ status, pending }: ProgressDto): boolean {
  return status === 'canceled' || status === 'failed' || (status === 'expanded' && pending === 0);
}
