import { Inject, Injectable } from '@nestjs/common';
import { actorOf } from '../../auth/scope.js';
import type { Scope } from '../../auth/scope.js';
import { refuseIfBlocked } from '../resource/deletion.js';
import type { ChannelOwner, StoredConfig } from '../../dispatcher/channel-config.js';
import type { Dispatcher } from '../../dispatcher/dispatcher.js';
import { DISPATCHERS } from '../../dispatcher/dispatcher.module.js';
import type { Prisma } from '../../platform/database/generated/prisma/client.js';
import { etagCovers, requireMatch } from '../../platform/http/etag/etag.js';
import { Listing } from '../../platform/http/list/listing.js';
import type { Page } from '../../platform/http/list/page.js';
import { conflict, invalid, invalidField, notFound } from '../../platform/http/problem.js';
import { isForeignKeyViolation } from '../../platform/database/database-error.js';
import { PrismaService } from '../../platform/database/prisma.service.js';
import { lockRows } from '../../platform/database/transaction.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { SecretBox } from '../../platform/secret/secret-box.js';
import { channelIds } from './channel-ids.js';
import { ChannelDto, ChannelSettingsDto } from './channel.dto.js';
import type { CreateChannelDto, UpdateChannelDto } from './channel.dto.js';
import { masked, unmasked } from './masked-config.js';
import { putChannel, putFallback } from './put-channel.js';

const channelSelect = { name: true, slug: true, type: true, enabled: true } satisfies Prisma.ChannelSelect;
const settingsSelect = { ...channelSelect, id: true, config: true, fallback: { select: { slug: true } } } as const;

/** The channels of a project, or the organization's own channels if the path names no project. */
@Injectable()
export class ChannelService {
  constructor(
    private readonly prisma: PrismaService,
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

  /**
   * A change reads what it answers in its own transaction: after the commit the read could fail, and say so of the change. The ETag covers
   * the stored secrets, which the answer masks.
   */
  private async show(place: ChannelOwner, client: Transaction = this.prisma): Promise<ChannelSettingsDto> {
    const { id: _, fallback, ...row } = await this.find(place, client);
    const stored = row.config as StoredConfig;
    const body = { ...ChannelDto.from(row), config: masked(stored), fallback: fallback?.slug ?? null };
    return etagCovers(body, { ...body, config: stored });
  }

  async create(
    scope: Scope,
    { slug, config = {}, fallback, ...fields }: CreateChannelDto,
  ): Promise<ChannelSettingsDto> {
    const place = { ...ownerOf(scope), slug };
    return this.change(scope, async (tx) => {
      if (await findStored(tx, place))
        throw invalidField('slug', 'already_exists', 'is already used by another channel');
      await this.put(tx, place, { ...fields, config }, {}, fallback);
      return this.show(place, tx);
    });
  }

  async update(scope: Scope, { fallback, ...fields }: UpdateChannelDto): Promise<ChannelSettingsDto> {
    const place = placeOf(scope);
    return this.change(scope, async (tx) => {
      const row = await findStored(tx, place);
      if (!row) throw notFound('channel');
      await this.requireMatch(tx, scope, row.id);
      await this.put(tx, place, { ...fields, type: row.type }, row.config as StoredConfig, fallback);
      return this.show(place, tx);
    });
  }

  async remove(scope: Scope): Promise<void> {
    await this.change(scope, async (tx) => {
      const row = await findStored(tx, placeOf(scope));
      if (!row) throw notFound('channel');
      await this.requireMatch(tx, scope, row.id);
      await refuseIfBlocked(tx, 'channel', row.id);
      await tx.channel.delete({ where: { id: row.id } });
    });
  }

  async find(where: ChannelOwner, client: Transaction = this.prisma) {
    const row = where.slug.includes('\u0000')
      ? null
      : await client.channel.findFirst({ where, select: settingsSelect });
    if (!row) throw notFound('channel');
    return row;
  }

  /** Changes the channels of an organization one at a time: one change may refer to a channel that another change deletes. */
  private async change<Result>(scope: Scope, work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    const { organizationId, projectId } = ownerOf(scope);
    try {
      return await this.prisma.change(actorOf(scope), async (tx) => {
        const [organization] = await lockRows(tx, 'organizations', [organizationId], 'no key update');
        if (!organization) throw notFound('organization');
        if (projectId !== null && !(await lockRows(tx, 'projects', [projectId], 'key share')).length)
          throw notFound('project');
        return work(tx);
      });
    } catch (error) {
      if (isForeignKeyViolation(error))
        throw conflict('Another request has just started to use the channel, or has deleted its fallback. Try again.');
      throw error;
    }
  }

  private requireMatch(tx: Transaction, scope: Scope, id: number): Promise<void> {
    return requireMatch(scope.ifMatch, async () => {
      await lockRows(tx, 'channels', [id], 'no key update');
      return this.show(placeOf(scope), tx);
    });
  }

  private async put(
    tx: Transaction,
    place: ChannelOwner,
    { config, ...fields }: { name?: string; type: string; enabled?: boolean; config?: Record<string, unknown> },
    stored: StoredConfig,
    fallback: string | null | undefined,
  ): Promise<void> {
    const boundFields = this.dispatchers.get(fields.type)?.fields ?? [];
    const plain = config && unmasked(config, stored, place, boundFields, this.secrets);
    if (plain && 'errors' in plain) throw invalid(plain.errors);
    const context = { tx, dispatchers: this.dispatchers, secrets: this.secrets };
    const put = await putChannel(context, place, { ...fields, name: fields.name?.trim(), config: plain?.config });
    if ('errors' in put) throw invalid(put.errors);
    if (fallback !== undefined) await setFallback(tx, place, put.id, fallback);
  }
}

const ownerOf = ({ organizationId, projectIdOrNull }: Scope) => ({ organizationId, projectId: projectIdOrNull });
export const placeOf = (scope: Scope): ChannelOwner => ({ ...ownerOf(scope), slug: scope.path.channel ?? '' });

async function findStored(tx: Transaction, where: ChannelOwner) {
  if (where.slug.includes('\u0000')) return null; // PostgreSQL accepts no NUL in a parameter
  return tx.channel.findFirst({ where, select: { id: true, type: true, config: true } });
}

async function setFallback(tx: Transaction, place: ChannelOwner, id: number, slug: string | null): Promise<void> {
  const fallbackId = slug === null ? null : (await channelIds(tx, place)).get(slug);
  if (fallbackId === undefined || fallbackId === id)
    throw invalidField('fallback', 'not_found', 'is not another channel of the project or the organization');
  await putFallback(tx, id, fallbackId);
}
