import { Injectable } from '@nestjs/common';
import { actorOf } from '../../auth/scope.js';
import type { Scope } from '../../auth/scope.js';
import { refuseIfBlocked } from '../resource/deletion.js';
import type { Prisma } from '../../platform/database/generated/prisma/client.js';
import { Listing } from '../../platform/http/list/listing.js';
import { afterId } from '../../platform/http/list/page.js';
import type { Page } from '../../platform/http/list/page.js';
import { invalid, invalidField, notFound } from '../../platform/http/problem.js';
import { isRowGone, isUniqueViolation } from '../../platform/database/database-error.js';
import { PrismaService } from '../../platform/database/prisma.service.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { normalizeAddress } from './address.js';
import { AddressDto } from './address.dto.js';
import type { CreateAddressDto, UpdateAddressDto } from './address.dto.js';

const addressSelect = { id: true, name: true, value: true } satisfies Prisma.AddressSelect;

@Injectable()
export class AddressService {
  constructor(private readonly prisma: PrismaService) {}

  list({ userId, organizationId }: Scope, page: Page) {
    const read = (after: string | null, take: number) =>
      this.prisma.address.findMany({
        where: { userId, organizationId, id: { gt: afterId(after) } },
        orderBy: { id: 'asc' },
        take,
        select: addressSelect,
      });
    return new Listing(page, read, AddressDto.from, ({ id }) => id);
  }

  async create(scope: Scope, body: CreateAddressDto): Promise<AddressDto> {
    const name = body.name.trim();
    if (!name) throw invalidField('name', 'blank', 'must not be blank');
    const normal = normalizeAddress(name, body.value);
    if ('problem' in normal) throw invalid({ value: [normal.problem] });
    try {
      const data = { userId: scope.userId, organizationId: scope.organizationId, name, value: normal.value };
      const create = (tx: Transaction) => tx.address.create({ data, select: addressSelect });
      return AddressDto.from(await this.prisma.change(actorOf(scope), create));
    } catch (error) {
      if (isUniqueViolation(error))
        throw invalidField('value', 'already_exists', `is an address of this user already, named ${name}`);
      if (isRowGone(error)) throw notFound('user');
      throw error;
    }
  }

  async update(scope: Scope, body: UpdateAddressDto): Promise<AddressDto> {
    const { name = '', value = '' } = scope.path;
    const normal = body.value === undefined ? { value } : normalizeAddress(name, body.value);
    if ('problem' in normal) throw invalid({ value: [normal.problem] });
    try {
      return await this.prisma.change(actorOf(scope), async (tx) => {
        const { id } = await find(tx, scope);
        const data = { value: normal.value };
        return AddressDto.from(await tx.address.update({ where: { id }, data, select: addressSelect }));
      });
    } catch (error) {
      if (isUniqueViolation(error))
        throw invalidField('value', 'already_exists', `is an address of this user already, named ${name}`);
      if (isRowGone(error)) throw notFound('address');
      throw error;
    }
  }

  async remove(scope: Scope): Promise<void> {
    await this.prisma.change(actorOf(scope), async (tx) => {
      const { id } = await find(tx, scope);
      await refuseIfBlocked(tx, 'address', id);
      await tx.address.delete({ where: { id }, select: { id: true } });
    });
  }
}

async function find(tx: Transaction, { userId, organizationId, path }: Scope): Promise<{ id: number }> {
  const { name = '', value = '' } = path;
  const row = `${name}${value}`.includes('\u0000')
    ? null
    : await tx.address.findFirst({ where: { userId, organizationId, name, value }, select: { id: true } });
  if (!row) throw notFound('address');
  return row;
}
