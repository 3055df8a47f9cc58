import { Inject, Injectable } from '@nestjs/common';
import type { ClientBase } from 'pg';
import { stringify } from 'yaml';
import type { Dispatcher } from '../../../dispatcher/dispatcher.js';
import { DISPATCHERS } from '../../../dispatcher/dispatcher.module.js';
import { Database } from '../../../platform/database/database.js';
import { PrismaService } from '../../../platform/database/prisma.service.js';
import { findList, findOrganization } from '../find.js';
import type { ListOwner } from '../find.js';
import type { UserFileFormat } from '../user-files/user-file-format.js';
import { readConfiguration } from './export-configuration.js';
import type { Configuration } from './export-configuration.js';
import { ChannelNames } from './export-names.js';
import type { NamedChannel } from './export-names.js';
import { jsonLine, membersOf, usersOf, writeMembers, writeUsers } from './export-users.js';
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

  async *organization(slug: string, { people }: { people: boolean }): AsyncGenerator<string> {
    const id = await findOrganization(this.prisma, slug);
    const { dispatchers } = this;
    yield* this.fromSnapshot(async function* (client) {
      yield* write(client, await readConfiguration(client, id, dispatchers), people);
    });
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

async function* write(client: ClientBase, configuration: Configuration, people: boolean): AsyncGenerator<string> {
  const { organizationId, slug, name, quotas, settings, channels, projects, secretNames } = configuration;
  const own = Object.keys(quotas).length > 0 && { quotas };
  yield* preface(secretNames);
  yield 'organizations:\n' + block([{ slug, name, ...own, ...settings, channels }], 2);
  if (people) yield* items('users', 4, usersOf(client, organizationId));
  yield projects.length === 0 ? '    projects: []\n' : '    projects:\n';
  for (const { lists, applications, channelOf, ...project } of projects) {
    yield block([project], 6);
    yield lists.length === 0 ? '        distribution_lists: []\n' : '        distribution_lists:\n';
    for (const list of lists) {
      yield block([{ name: list.name }], 10);
      if (people) yield* items('members', 12, membersOf(client, list.id, channelOf));
    }
    yield block({ applications }, 8);
  }
}

function* preface(secretNames: string[]): Generator<string> {
  yield '# Written by carillon export.\n';
  if (secretNames.length === 0) return;
  yield '# It contains no secrets. carillon apply reads them from these environment variables:\n';
  for (const name of secretNames) yield `#   ${name}\n`;
}

/** Indented YAML. */
const block = (value: unknown, indent: number) =>
  stringify(value, { lineWidth: 0 })
    .split('\n')
    .map((line) => line && ' '.repeat(indent) + line)
    .join('\n');

/** A list with one entry a line. The entries are JSON, which is also YAML and faster to write. */
async function* items(key: string, indent: number, entries: AsyncGenerator<unknown[]>): AsyncGenerator<string> {
  const margin = ' '.repeat(indent);
  let isEmpty = true;
  for await (const page of entries) {
    if (page.length === 0) break;
    yield (isEmpty ? `${margin}${key}:\n` : '') + page.map((entry) => `${margin}  - ${jsonLine(entry)}\n`).join('');
    isEmpty = false;
  }
  if (isEmpty) yield `${margin}${key}: []\n`;
}
