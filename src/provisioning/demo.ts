import { readFileSync } from 'node:fs';
import type { INestApplicationContext } from '@nestjs/common';
import { ApiKeyStore } from '../auth/api-key-store.js';
import { PERMISSIONS } from '../auth/permission.js';
import { commandLine } from '../prisma/actor.js';
import { PrismaService } from '../prisma/prisma.service.js';
import { ProvisioningService } from './provisioning.service.js';

/** Fills an empty database with the demo organization; answers a key to it, or null when there was something already. */
export async function createDemo(app: INestApplicationContext): Promise<string | null> {
  const prisma = app.get(PrismaService);
  if (await prisma.organization.findFirst({ select: { id: true } })) return null;
  await app.get(ProvisioningService).apply(readFileSync(new URL('./demo.yaml', import.meta.url), 'utf8'), {});
  const { id: organizationId } = await prisma.organization.findUniqueOrThrow({ where: { slug: 'demo' } });
  const { text } = await app
    .get(ApiKeyStore)
    .create({ name: 'demo', permissions: PERMISSIONS, organizationId }, commandLine('start'));
  return text;
}
