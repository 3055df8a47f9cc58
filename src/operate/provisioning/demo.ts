import { readFileSync } from 'node:fs';
import type { INestApplicationContext } from '@nestjs/common';
import { ApiKeyStore } from '../../auth/api-key-store.js';
import { Cells } from '../../cell/directory/cells.js';
import { PERMISSIONS, Permission } from '../../auth/permission.js';
import { CONFIG } from '../../platform/config/config.js';
import type { Config } from '../../platform/config/config.js';
import { OccurrenceStore } from '../../api/occurrence/occurrence-store.js';
import { commandLine } from '../../platform/database/actor.js';
import { PrismaService } from '../../platform/database/prisma.service.js';
import { DEMO_OCCURRENCE } from './demo-occurrence.js';
import { ProvisioningService } from './provisioning.service.js';

const SLUG = 'demo';

/**
 * Creates the demo organization in an empty database. Returns an API key for it, or null if the database is not empty, or another cell has
 * the demo.
 */
export async function createDemo(app: INestApplicationContext): Promise<string | null> {
  const prisma = app.get(PrismaService);
  if (await prisma.organization.findFirst({ select: { id: true } })) return null;
  if (!(await isFree(app))) return null;
  await app.get(ProvisioningService).apply(readFileSync(new URL('./demo.yaml', import.meta.url), 'utf8'), {});
  const { id: eventId, organizationId } = await prisma.event.findFirstOrThrow({ where: { slug: 'order-paid' } });
  const keys = app.get(ApiKeyStore);
  const by = commandLine('start');
  const { text } = await keys.create({ name: 'demo', permissions: PERMISSIONS, organizationId }, by);
  await keys.create({ name: 'shop', permissions: [Permission.EventTrigger], organizationId }, by);
  await app.get(OccurrenceStore).add({
    ...{ id: DEMO_OCCURRENCE, organizationId, eventId, runAt: null, priority: 'normal', idempotency: null },
    ...{ context: JSON.stringify({ order: 'A-16', total: 80 }), options: '{}', hasRecipients: false },
  });
  return text;
}

/** Without an answer of the directory nothing can be created. A later start does it. */
async function isFree(app: INestApplicationContext): Promise<boolean> {
  const { cell } = app.get<Config>(CONFIG);
  return (
    !cell ||
    app
      .get(Cells)
      .directory.claim(SLUG, cell.number)
      .catch(() => false)
  );
}
