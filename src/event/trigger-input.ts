import { Inject, Injectable } from '@nestjs/common';
import type { Scope } from '../auth/scope.js';
import type { Dispatcher } from '../dispatcher/dispatcher.js';
import { DISPATCHERS } from '../dispatcher/dispatcher.module.js';
import { invalid } from '../http/problem.js';
import { PrismaService } from '../prisma/prisma.service.js';
import { readTriggerBody } from './trigger-body.js';
import type { FieldChecks, TriggerBody } from './trigger-body.js';

/** What a trigger is given, read and checked: whatever takes the same body refuses the same ones. */
@Injectable()
export class TriggerInput {
  constructor(
    private readonly prisma: PrismaService,
    @Inject(DISPATCHERS) private readonly dispatchers: ReadonlyMap<string, Dispatcher>,
  ) {}

  /** `more`: fields that the body may have beside those of a trigger. */
  async read(scope: Scope, body: unknown, more?: FieldChecks): Promise<TriggerBody> {
    const input = readTriggerBody(body, more);
    if (input.options.channels) await this.checkChannels(scope, input.options.channels);
    return input;
  }

  /** A known type without a channel reaches nobody over it, which is fine; a name that means nothing is a mistake. */
  private async checkChannels({ organizationId, projectId }: Scope, names: string[]): Promise<void> {
    const rows = await this.prisma.channel.findMany({
      where: { organizationId, OR: [{ projectId }, { projectId: null }], slug: { in: names } },
      select: { slug: true },
    });
    const known = new Set<string>([...this.dispatchers.keys(), ...rows.map(({ slug }) => slug)]);
    const unknown = names.filter((name) => !known.has(name));
    if (unknown.length > 0) {
      const sentences = unknown.map(
        (name) => `"${name}" is no channel of the project or the organization, and no channel type`,
      );
      throw invalid({ 'options.channels': sentences });
    }
  }
}
