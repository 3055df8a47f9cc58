import { Inject, Injectable } from '@nestjs/common';
import type { Scope } from '../../auth/scope.js';
import type { ChannelOwner, StoredConfig } from '../../dispatcher/channel-config.js';
import type { Dispatcher } from '../../dispatcher/dispatcher.js';
import { DISPATCHERS } from '../../dispatcher/dispatcher.module.js';
import type { Prisma } from '../../platform/database/generated/prisma/client.js';
import { etagCovers } from '../../platform/http/etag/etag.js';
import { Listing } from '../../platform/http/list/listing.js';
import type { Page } from '../../platform/http/list/page.js';
import { notFound } from '../../platform/http/problem.js';
import { PrismaService } from '../../platform/database/prisma.service.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { lockOwner, ownerOf } from '../resource/owner.js';
import type { BySlug, Put } from '../resource/put.js';
import { Resources } from '../resource/resources.js';
import { SecretBox } from '../../platform/secret/secret-box.js';
import { ChannelDto, ChannelSettingsDto } from './channel.dto.js';
import type { CreateChannelDto, UpdateChannelDto } from './channel.dto.js';
import { masked, unmasked } from './masked-config.js';
import { putChannel } from './channel.write.js';

const channelSelect = { name: true, slug: true, type: true, enabled: true } satisfies Prisma.ChannelSelect;
const settingsSelect = { ...channelSelect, id: true, config: true, fallback: { select: { slug: true } } } as const;

/** The channels of a project, or the organization's own channels if the path names no project. */
@Injectable()
export class ChannelService {
  constructor(
    private readonly prisma: PrismaService,
    @Inject(DISPATCHERS) private readonly dispatchers: ReadonlyMap<string, Dispatcher>,
    private readonly secrets: SecretBox,
    private readonly resources: Resources,
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

  async get(scope: Scope): Promise<ChannelSettingsDto> {
    return show(await this.find(placeOf(scope)));
  }

  create(scope: Scope, { slug, config = {}, ...fields }: CreateChannelDto): Promise<ChannelSettingsDto> {
    return this.resources.create(scope, this.change(scope, { slug }, { config, ...fields }));
  }

  async update(scope: Scope, fields: UpdateChannelDto): Promise<ChannelSettingsDto> {
    const { id } = await this.find(placeOf(scope));
    return this.resources.update(scope, id, this.change(scope, { id }, fields));
  }

  async remove(scope: Scope): Promise<void> {
    const { id } = await this.find(placeOf(scope));
    const remove = (tx: Transaction) => tx.channel.delete({ where: { id } });
    await this.resources.remove(scope, id, { noun: 'channel', lock: (tx) => lockOwner(tx, scope), read, remove });
  }

  async find(where: ChannelOwner, client: Transaction = this.prisma) {
    const row = where.slug.includes('\u0000')
      ? null
      : await client.channel.findFirst({ where, select: settingsSelect });
    if (!row) throw notFound('channel');
    return row;
  }

  private change(scope: Scope, identity: BySlug, fields: UpdateChannelDto & { type?: string }) {
    const lock = (tx: Transaction) => lockOwner(tx, scope);
    return { noun: 'channel', lock, put: (tx: Transaction) => this.put(tx, scope, identity, fields), read } as const;
  }

  /** Puts the stored secrets where the body has their masks. */
  private async put(
    tx: Transaction,
    scope: Scope,
    identity: BySlug,
    { config, ...fields }: UpdateChannelDto & { type?: string },
  ): Promise<Put> {
    const { dispatchers, secrets } = this;
    const owner = ownerOf(scope);
    const row = await tx.channel.findFirst({ where: { ...owner, ...identity }, select: settingsSelect });
    const place = { ...owner, slug: row?.slug ?? '' };
    const boundFields = dispatchers.get(fields.type ?? row?.type ?? '')?.fields ?? [];
    const plain = config && unmasked(config, (row?.config ?? {}) as StoredConfig, place, boundFields, secrets);
    if (plain && 'errors' in plain) return plain;
    return putChannel({ tx, dispatchers, secrets }, owner, identity, { ...fields, config: plain?.config });
  }
}

type SettingsRow = Prisma.ChannelGetPayload<{ select: typeof settingsSelect }>;

/** The ETag covers the stored secrets, which the response masks. */
function show(found: SettingsRow): ChannelSettingsDto {
  const { id: _, fallback, ...row } = found;
  const stored = row.config as StoredConfig;
  const body = { ...ChannelDto.from(row), config: masked(stored), fallback: fallback?.slug ?? null };
  return etagCovers(body, { ...body, config: stored });
}

const read = async (tx: Transaction, id: number): Promise<ChannelSettingsDto> =>
  show(await tx.channel.findUniqueOrThrow({ where: { id }, select: settingsSelect }));

export const placeOf = (scope: Scope): ChannelOwner => ({ ...ownerOf(scope), slug: scope.path.channel ?? '' });
