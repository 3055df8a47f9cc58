import { Injectable } from '@nestjs/common';
import { actorOf } from '../../auth/scope.js';
import type { Scope } from '../../auth/scope.js';
import { Database } from '../../platform/database/database.js';
import { PrismaService } from '../../platform/database/prisma.service.js';
import { addTo, hasErrors } from '../../platform/field/error/field-error.js';
import type { FieldErrors } from '../../platform/field/error/field-error.js';
import { Listing } from '../../platform/http/list/listing.js';
import { afterId } from '../../platform/http/list/page.js';
import type { Page } from '../../platform/http/list/page.js';
import { invalid, notFound } from '../../platform/http/problem.js';
import { knownTimeZones } from '../settings/time-zones.js';
import { DeviceDto } from './device.dto.js';
import type { DeviceRow, PutDeviceDto } from './device.dto.js';
import { GET_DEVICE, LIST_DEVICES } from './device.sql.js';
import { putDevice, removeDevice } from './device.write.js';
import { checkIdentity, readDevice } from './read-device.js';
import type { DeviceFields, DeviceIdentity } from './read-device.js';

@Injectable()
export class DeviceService {
  constructor(
    private readonly prisma: PrismaService,
    private readonly database: Database,
  ) {}

  list({ userId, organizationId }: Scope, page: Page): Listing<DeviceRow, DeviceDto> {
    const read = async (after: string | null, limit: number) => {
      const values = [userId, organizationId, afterId(after), limit];
      return (await this.database.query<DeviceRow>('list-devices', LIST_DEVICES, values)).rows;
    };
    return new Listing(page, read, DeviceDto.from, ({ id }) => id);
  }

  async put(scope: Scope, body: PutDeviceDto): Promise<DeviceDto> {
    const { userId, organizationId } = scope;
    const identity = identityIn(scope);
    const fields = await this.read(identity, body);
    return this.prisma.change(actorOf(scope), async (tx) => {
      await putDevice(tx, { userId, organizationId }, identity, fields);
      const values = [userId, organizationId, identity.app, identity.device];
      const [row] = await tx.$queryRawUnsafe<DeviceRow[]>(GET_DEVICE, ...values);
      return DeviceDto.from(row!);
    });
  }

  async remove(scope: Scope): Promise<void> {
    const { userId, organizationId } = scope;
    const identity = identityIn(scope);
    const isPlain = !`${identity.app}${identity.device}`.includes('\u0000');
    const isGone =
      isPlain &&
      (await this.prisma.change(actorOf(scope), (tx) => removeDevice(tx, { userId, organizationId }, identity)));
    if (!isGone) throw notFound('device');
  }

  private async read(identity: DeviceIdentity, body: PutDeviceDto): Promise<DeviceFields> {
    const errors: FieldErrors = {};
    const addError = addTo(errors);
    checkIdentity(identity, addError);
    const zones = body.time_zone ? await knownTimeZones(this.prisma) : new Map<string, string>();
    const fields = readDevice(body, zones, addError);
    if (hasErrors(errors)) throw invalid(errors);
    return fields;
  }
}

const identityIn = ({ path: { bundle = '', device = '' } }: Scope): DeviceIdentity => ({ app: bundle, device });
