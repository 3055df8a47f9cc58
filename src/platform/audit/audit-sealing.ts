import { Injectable } from '@nestjs/common';
import { BackgroundLoop } from '../background-loop.js';
import { PrismaService } from '../database/prisma.service.js';
import { sealEntries } from './seal-entries.js';

/** Until an entry is sealed, nobody can prove a change of it. */
const PAUSE_MS = 10_000;
/** The pause while more entries may wait: sealing must not take a processor from the messages. */
const SHORT_PAUSE_MS = 500;

/** Seals new entries of the audit log, in every worker. */
@Injectable()
export class AuditSealing extends BackgroundLoop {
  constructor(private readonly prisma: PrismaService) {
    super({
      name: 'Audit',
      failure: 'could not seal the audit log, will retry',
      everyMs: PAUSE_MS,
      firstMs: PAUSE_MS,
      isAwaited: true,
    });
  }

  protected override async round(): Promise<number> {
    return (await sealEntries(this.prisma)) > 0 ? SHORT_PAUSE_MS : PAUSE_MS;
  }
}
