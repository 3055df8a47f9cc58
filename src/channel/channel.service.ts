import { Inject, Injectable } from '@nestjs/common';
import type { PoolClient } from 'pg';
import { actorOf } from '../auth/scope.js';
import type { Scope } from '../auth/scope.js';
import type { ChannelPlace, StoredConfig } from '../dispatcher/channel-config.js';
import type { Dispatcher } from '../dispatcher/dispatcher.js';
import { DISPATCHERS } from '../dispatcher/dispatcher.module.js';
import type { Prisma } from '../generated/prisma/client.js';
import { refuseIfUsed } from '../http/in-use.js';
import { Listing } from '../http/list/listing.js';
import type { Page } from '../http/list/page.js';
import { conflict, invalid, notFound } from '../http/problem.js';
import { Database } from '../prisma/database.js';
import { isForeignKeyViolation } from '../prisma/pg-error.js';
import { PrismaService } from '../prisma/prisma.service.js';
import { whereOf } from '../prisma/upsert-row.js';
import { SecretBox } from '../secret/secret-box.js';
import { channelIds } from './channel-ids.js';
import { USERS_OF_CHANNELS } from './channel-users.js';
import { ChannelDto, ChannelSettingsDto } from './channel.dto.js';
import type { CreateChannelDto, UpdateChannelDto } from './channel.dto.js';
import { masked, unmasked } from './masked-config.js';
import { identityOf, putChannel } from './put-channel.js';

const channelSelect = { name: true, slug: true, type: true, enabled: true } satisfies Prisma.ChannelSelect;
const settingsSelect = { ...channelSelect, id: true, config: true, fallback: { select: { slug: true } } } as const;

/** The channels of a project or, where the path names none, the organization's own. */
@Injectable()
export class ChannelService {
  constructor(
    private readonly prisma: PrismaService,
    private readonly database: Database,
    @Inject(DISPATCHERS) private readonly dispatchers: ReadonlyMap<string, Dispatcher>,
    private readonly secrets: SecretBox,
  ) {}

  list(scope: Scope, page: Page) {
    const read = (after: string | null, take: number) =>
      this.prisma.channel.findMany({
        where: { ...ownerOf(scope), slug: after === null ? undefined : { gt: after } },
        orderBy: { slug: 'asc' },
        take,
        select: channelSelect,
      });
    return new Listing(page, read, ChannelDto.from, ({ slug }) => slug);
  }

  get(scope: Scope): Promise<ChannelSettingsDto> {
    return this.show(placeOf(scope));
  }

  private async show(place: ChannelPlace): Promise<ChannelSettingsDto> {
    const { id: _, fallback, ...row } = await this.find(place);
    return {
      ...ChannelDto.from(row),
      config: masked(row.config as StoredConfig),
      fallback: fallback?.slug ?? null,
    };
  }

  async create(
    scope: Scope,
    { slug, config = {}, fallback, ...fields }: CreateChannelDto,
  ): Promise<ChannelSettingsDto> {
    const place = { ...ownerOf(scope), slug };
    await this.change(scope, async (client) => {
      if (await findStored(client, place)) throw invalid({ slug: ['belongs to a channel that already exists'] });
      await this.put(client, place, { ...fields, config }, {}, fallback);
    });
    return this.show(place);
  }

  async update(scope: Scope, { fallback, ...fields }: UpdateChannelDto): Promise<ChannelSettingsDto> {
    await this.change(scope, async (client) => {
      const row = await findStored(client, placeOf(scope));
      if (!row) throw notFound('channel');
      await this.put(client, placeOf(scope), { ...fields, type: row.type }, row.config, fallback);
    });
    return this.get(scope);
  }

  async remove(scope: Scope): Promise<void> {
    await this.change(scope, async (client) => {
      const row = await findStored(client, placeOf(scope));
      if (!row) throw notFound('channel');
      const { rows } = await client.query<{ user: string }>(USERS_OF_CHANNELS, [[row.id]]);
      refuseIfUsed(
        'channel',
        rows.map(({ user }) => user),
      );
      await client.query('delete from channels where id = $1', [row.id]);
    });
  }

  async find(where: ChannelPlace) {
    const row = where.slug.includes('\u0000')
      ? null
      : await this.prisma.channel.findFirst({ where, select: settingsSelect });
    if (!row) throw notFound('channel');
    return row;
  }

  /** The channels of an organization are changed one after the other: what one names, another may be about to delete. */
  private async change(scope: Scope, work: (client: PoolClient) => Promise<void>): Promise<void> {
    const { organizationId, projectId } = ownerOf(scope);
    try {
      await this.database.change(actorOf(scope), async (client) => {
        const organization = await client.query('select from organizations where id = $1 for no key update', [
          organizationId,
        ]);
        if (!organization.rowCount) throw notFound('organization');
        const project = 'select from projects where id = $1 for key share';
        if (projectId !== null && !(await client.query(project, [projectId])).rowCount) throw notFound('project');
        await work(client);
      });
    } catch (error) {
      if (isForeignKeyViolation(error)) throw conflict('The channel has just come into use.');
      throw error;
    }
  }

  private async put(
    client: PoolClient,
    place: ChannelPlace,
    { config, ...fields }: { name?: string; type: string; enabled?: boolean; config?: Record<string, unknown> },
    stored: StoredConfig,
    fallback: string | null | undefined,
  ): Promise<void> {
    const boundFields = this.dispatchers.get(fields.type)?.fields ?? [];
    const plain = config && unmasked(config, stored, place, boundFields, this.secrets);
    if (plain && 'errors' in plain) throw invalid(plain.errors);
    const context = { client, dispatchers: this.dispatchers, secrets: this.secrets };
    const put = await putChannel(context, place, { ...fields, name: fields.name?.trim(), config: plain?.config });
    if ('errors' in put) throw invalid(put.errors);
    if (fallback !== undefined) await setFallback(client, place, put.id, fallback);
  }
}

const ownerOf = ({ organizationId, projectIdOrNull }: Scope) => ({ organizationId, projectId: projectIdOrNull });
export const placeOf = (scope: Scope): ChannelPlace => ({ ...ownerOf(scope), slug: scope.path.channel ?? '' });

async function findStored(
  client: PoolClient,
  place: ChannelPlace,
): Promise<{ id: number; type: string; config: StoredConfig } | undefined> {
  const identity = identityOf(place);
  if (identity.slug.includes('\u0000')) return undefined; // which PostgreSQL takes in no parameter
  const sql = `select id, type, config from channels where ${whereOf(identity)}`;
  const { rows } = await client.query<{ id: number; type: string; config: StoredConfig }>(sql, Object.values(identity));
  return rows[0];
}

async function setFallback(client: PoolClient, place: ChannelPlace, id: number, slug: string | null): Promise<void> {
  const fallbackId = slug === null ? null : (await channelIds(client, place)).get(slug);
  if (fallbackId === undefined || fallbackId === id)
    throw invalid({ fallback: ['is no other channel that it can reach'] });
  await client.query('update channels set fallback_id = $2 where id = $1 and fallback_id is distinct from $2', [
    id,
    fallbackId,
  ]);
}
