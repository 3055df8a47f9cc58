import type { INestApplicationContext } from '@nestjs/common';
import { DispatcherModule } from '../../dispatcher/dispatcher.module.js';
import { ProvisioningModule } from '../provisioning/provisioning.module.js';
import { withServices } from './context.js';

/** Runs a command that reads or writes provisioning files or files of users. */
export const withProvisioning = <Result>(work: (services: INestApplicationContext) => Promise<Result>) =>
  withServices(work, [DispatcherModule, ProvisioningModule]);
