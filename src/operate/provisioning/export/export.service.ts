import { Inject, Injectable } from '@nestjs/common';
import type { ClientBase } from 'pg';
import type { Dispatcher } from '../../../dispatcher/dispatcher.js';
import { DISPATCHERS } from '../../../dispatcher/dispatcher.module.js';
import { Database } from '../../../platform/database/database.js';
import { PrismaService } from '../../../platform/database/prisma.service.js';
import type { OrganizationEntry } from '../file.js';
import { findList, findOrganization } from '../find.js';
import type { ListOwner } from '../find.js';
import type { UserFileFormat } from '../user-files/user-file-format.js';
import { readConfiguration } from './export-configuration.js';
import { exportOf, partOf } from './export-parts.js';
import { readEntry } from './export-entry.js';
import { writeFile } from './write-file.js';
import { ChannelNames } from './export-names.js';
import type { NamedChannel } from './export-names.js';
import { membersOf, usersOf, writeMembers, writeUsers } from './export-users.js';
import { CHANNELS } from './export.sql.js';

/** Writes an organization as a provisioning file, page by page, so that a million users are never in memory at once. */
@Injectable()
export class ExportService {
  constructor(
    private readonly prisma: PrismaService,
    /** For the snapshot: it stays open while a slow reader takes one page after the other. Prisma's transactions cannot do that. */
    private readonly database: Database,
    @Inject(DISPATCHERS) private readonly dispatchers: ReadonlyMap<string, Dispatcher>,
  ) {}

  async *organization(slug: string, { people: users }: { people: boolean }): AsyncGenerator<string> {
    const id = await findOrganization(this.prisma, slug);
    const { dispatchers } = this;
    yield* this.fromSnapshot(async function* (client) {
      const configuration = await readConfiguration(client, id, dispatchers);
      yield* writeFile(exportOf(configuration, users ? client : null));
    });
  }

  /**
   * The organization as an entry of a file; with `projectId`, only this project and nothing of the organization itself. Refuses more users
   * than fit into an answer.
   */
  async entry(
    organizationId: number,
    options: { users: boolean; projectId: number | null },
  ): Promise<OrganizationEntry> {
    let entry: OrganizationEntry | undefined;
    const { dispatchers } = this;
    const run = this.fromSnapshot(async function* (client) {
      const configuration = await readConfiguration(client, organizationId, dispatchers);
      entry = await readEntry(exportOf(partOf(configuration, options.projectId), options.users ? client : null));
      yield '';
    });
    for await (const _ of run);
    return entry!;
  }

  async *users(org: string, format: UserFileFormat): AsyncGenerator<string> {
    const id = await findOrganization(this.prisma, org);
    yield* this.fromSnapshot((client) => writeUsers(usersOf(client, id), format));
  }

  async *members(place: ListOwner, format: UserFileFormat): AsyncGenerator<string> {
    const organizationId = await findOrganization(this.prisma, place.org);
    const { listId, projectId } = await findList(this.prisma, organizationId, place);
    yield* this.fromSnapshot(async function* (client) {
      const { rows } = await client.query<NamedChannel>(CHANNELS, [organizationId]);
      const names = new ChannelNames(rows);
      const channelOf = (id: number) => names.slugOf(id, projectId, `a member of ${place.list}`);
      yield* writeMembers(membersOf(client, listId, channelOf), format);
    });
  }

  /** Reads everything from one snapshot. */
  private async *fromSnapshot(read: (client: ClientBase) => AsyncGenerator<string>): AsyncGenerator<string> {
    const client = await this.database.pool.connect();
    try {
      await client.query('begin isolation level repeatable read read only');
      yield* read(client);
    } finally {
      await client.query('rollback').catch(() => undefined);
      client.release();
    }
  }
}
