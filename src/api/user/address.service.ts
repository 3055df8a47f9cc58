import { Injectable } from '@nestjs/common';
import { actorOf } from '../../auth/scope.js';
import type { Scope } from '../../auth/scope.js';
import { refuseIfBlocked } from '../resource/deletion.js';
import type { Prisma } from '../../platform/database/generated/prisma/client.js';
import { Listing } from '../../platform/http/list/listing.js';
import { afterId } from '../../platform/http/list/page.js';
import type { Page } from '../../platform/http/list/page.js';
import { conflict, invalid, invalidField, notFound } from '../../platform/http/problem.js';
import { isRowGone, isUniqueViolation } from '../../platform/database/database-error.js';
import { PrismaService } from '../../platform/database/prisma.service.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { normalizeAddress, readAddress } from './address.js';
import { AddressDto } from './address.dto.js';
import type { CreateAddressDto, UpdateAddressDto } from './address.dto.js';
import { KEEP_USER } from './user-write.sql.js';
import { addAddresses } from './user.write.js';

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
    const address = readAddress(body);
    if ('errors' in address) throw invalid(address.errors);
    const { organizationId, userId } = scope;
    const added = await this.prisma.change(actorOf(scope), async (tx) => {
      const [user] = await tx.$queryRawUnsafe<{ email: string }[]>(KEEP_USER, userId, organizationId);
      if (!user) throw notFound('user');
      return addAddresses(tx, organizationId, [{ email: user.email, addresses: [address] }]);
    });
    if (added === 0) throw alreadyThere(address.name);
    return AddressDto.from(address);
  }

  async update(scope: Scope, body: UpdateAddressDto): Promise<AddressDto> {
    const { name = '', value = '' } = scope.path;
    const normal = body.value === undefined ? { value } : normalizeAddress(name, body.value);
    if ('problem' in normal) throw invalid({ value: [normal.problem] });
    try {
      return await this.prisma.change(actorOf(scope), async (tx) => {
        const { id } = await find(tx, scope);
        if (await tx.device.count({ where: { addressId: id, organizationId: scope.organizationId } })) throw ofDevice();
        const data = { value: normal.value };
        return AddressDto.from(await tx.address.update({ where: { id }, data, select: addressSelect }));
      });
    } catch (error) {
      if (isUniqueViolation(error)) throw alreadyThere(name);
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

const alreadyThere = (name: string) =>
  invalidField('value', 'already_exists', `is an address of this user already, named ${name}`);

const ofDevice = () =>
  conflict('The address belongs to a device. The app changes it when it registers the device again.');

async function find(tx: Transaction, { userId, organizationId, path }: Scope): Promise<{ id: number }> {
  const { name = '', value = '' } = path;
  const row = `${name}${value}`.includes('\u0000')
    ? null
    : await tx.address.findFirst({ where: { userId, organizationId, name, value }, select: { id: true } });
  if (!row) throw notFound('address');
  return row;
}
