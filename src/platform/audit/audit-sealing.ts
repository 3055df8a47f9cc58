import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { PrismaService } from '../database/prisma.service.js';
import { sealEntries } from './seal-entries.js';

/** Until an entry is sealed, nobody can prove a change of it. */
const PAUSE_MS = 10_000;
/** The pause while more entries may wait: sealing must not take a processor from the messages. */
const SHORT_PAUSE_MS = 500;

/** Seals new entries of the audit log, in every worker. */
@Injectable()
export class AuditSealing implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('Audit');
  private readonly stopping = new AbortController();
  private running: Promise<void> | undefined;

  constructor(private readonly prisma: PrismaService) {}

  onApplicationBootstrap(): void {
    this.running = this.keepSealing();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async keepSealing(): Promise<void> {
    const { signal } = this.stopping;
    for (let pause = PAUSE_MS; ;) {
      await sleep(pause, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return;
      pause = (await this.seal()) > 0 ? SHORT_PAUSE_MS : PAUSE_MS;
    }
  }

  private async seal(): Promise<number> {
    try {
      return await sealEntries(this.prisma);
    } catch (error) {
      const { message } = error as Error;
      this.logger.warn({ message: 'could not seal the audit log, will retry', error: message });
      return 0;
    }
  }
}
