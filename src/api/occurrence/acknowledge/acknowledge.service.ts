import { Injectable } from '@nestjs/common';
import { actorOf } from '../../../auth/scope.js';
import type { Scope } from '../../../auth/scope.js';
import { REPORT_ACKNOWLEDGEMENT } from '../../../engine/report/report.sql.js';
import type { Actor } from '../../../platform/database/actor.js';
import { PrismaService } from '../../../platform/database/prisma.service.js';
import { emailKey } from '../../../platform/field/email.js';
import { invalidField, notFound } from '../../../platform/http/problem.js';
import { AUDIT_OCCURRENCE } from '../occurrence.sql.js';
import { AcknowledgementDto } from './acknowledge.dto.js';
import type { AcknowledgeOccurrenceDto, AcknowledgementRow } from './acknowledge.dto.js';
import { ACKNOWLEDGE, NOTIFY_OF_ACKNOWLEDGEMENT } from './acknowledge.sql.js';

interface Row extends AcknowledgementRow {
  /** Null: there is no such occurrence. */
  occurrence: string | null;
  /** False: the user acknowledged it before. Null: one of the two does not exist. */
  isNew: boolean | null;
}

type AcknowledgedOccurrence = Pick<Scope, 'organizationId' | 'occurrenceId'>;

/** A message that is answered. Nulls: what it is about is gone. */
interface Answered {
  occurrence: string | null;
  delivery: string | null;
}

/** What a user answers. */
interface Given extends Pick<AcknowledgementDto, 'user' | 'way' | 'note'> {
  /** The id of the delivery whose message is answered; null: none is known. */
  delivery: string | null;
}

/** Stores who takes care of an occurrence. The steps look it up when they are due. */
@Injectable()
export class AcknowledgeService {
  constructor(private readonly prisma: PrismaService) {}

  acknowledge(scope: Scope, { user, note = '' }: AcknowledgeOccurrenceDto): Promise<AcknowledgementDto> {
    return this.store(actorOf(scope), scope, { user, note, way: 'api', delivery: null });
  }

  /** Acknowledges what a message in the inbox of a user is about. */
  answer(scope: Scope, { occurrence, delivery }: Answered, note = ''): Promise<AcknowledgementDto> {
    if (occurrence === null) throw notFound('occurrence');
    const subject = { organizationId: scope.organizationId, occurrenceId: occurrence };
    return this.store(actorOf(scope), subject, { user: scope.path.username!, note, way: 'inbox', delivery });
  }

  /** The first of a user stays, and is returned. */
  store(actor: Actor, subject: AcknowledgedOccurrence, given: Given): Promise<AcknowledgementDto> {
    const { organizationId, occurrenceId } = subject;
    const { user, way, note, delivery } = given;
    return this.prisma.change(actor, async (tx) => {
      const values = [occurrenceId, organizationId, emailKey(user), way, note, delivery];
      const [row] = await tx.$queryRawUnsafe<Row[]>(ACKNOWLEDGE, ...values);
      if (!row?.occurrence) throw notFound('occurrence');
      if (row.isNew === null) throw invalidField('user', 'not_found', `${user} is not a user of the organization`);
      if (row.isNew) {
        await tx.$executeRawUnsafe(AUDIT_OCCURRENCE, 'acknowledge', organizationId, occurrenceId);
        await tx.$executeRawUnsafe(NOTIFY_OF_ACKNOWLEDGEMENT, occurrenceId);
        await tx.$executeRawUnsafe(REPORT_ACKNOWLEDGEMENT, occurrenceId, organizationId, emailKey(user));
      }
      return AcknowledgementDto.from(row);
    });
  }
}
