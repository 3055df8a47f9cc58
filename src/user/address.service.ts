import { Injectable } from '@nestjs/common';
import { actorOf } from '../auth/scope.js';
import type { Scope } from '../auth/scope.js';
import { Listing } from '../common/listing.js';
import { afterId } from '../common/page.js';
import type { Page } from '../common/page.js';
import { invalid, notFound } from '../common/problem.js';
import type { Prisma } from '../generated/prisma/client.js';
import { PrismaService } from '../prisma/prisma.service.js';
import { isParentGone, isUniqueViolation } from '../prisma/unique.js';
import { normalizeAddress } from './address.js';
import { AddressDto } from './address.dto.js';
import type { CreateAddressDto } from './address.dto.js';

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
    if (!name) throw invalid({ name: ['must not be blank'] });
    const normal = normalizeAddress(name, body.value);
    if ('problem' in normal) throw invalid({ value: [normal.problem] });
    try {
      const data = { userId: scope.userId, organizationId: scope.organizationId, name, value: normal.value };
      const create = (tx: Prisma.TransactionClient) => tx.address.create({ data, select: addressSelect });
      return AddressDto.from(await this.prisma.change(actorOf(scope), create));
    } catch (error) {
      if (isUniqueViolation(error)) throw invalid({ value: [`is an address of this user already, named ${name}`] });
      if (isParentGone(error)) throw notFound('user');
      throw error;
    }
  }
}
