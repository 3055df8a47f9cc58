import { signingSecretContext } from '../../auth/recipient/signing-secret.js';
import { openConfig, sealConfig } from '../../dispatcher/channel-config.js';
import type { StoredConfig } from '../../dispatcher/channel-config.js';
import { tokenContext } from '../../engine/token/token-context.js';
import type { ChannelToken, Prisma } from '../../platform/database/generated/prisma/client.js';
import { commandLine } from '../../platform/database/actor.js';
import { PrismaService } from '../../platform/database/prisma.service.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { SecretBox } from '../../platform/secret/secret-box.js';
import { statusSecretContext } from '../../engine/report/status-webhook.js';
import { withServices } from './context.js';
import { CommandError, print } from './print/print.js';

const PAGE = 500;

interface Result {
  resealed: number;
  /** Names of what neither key opens. */
  lost: string[];
}

/** Encrypts every stored secret with the current SECRET_KEY, so that SECRET_KEY_PREVIOUS can be removed. */
export async function reseal(json?: boolean): Promise<void> {
  const { resealed, lost } = await withServices(async (services) => {
    const [prisma, box] = [services.get(PrismaService), services.get(SecretBox)];
    const result: Result = { resealed: 0, lost: [] };
    await resealChannels(prisma, box, result);
    await resealStatusWebhooks(prisma, box, result);
    await resealSigningSecrets(prisma, box, result);
    await resealTokens(prisma, box, result);
    return result;
  });
  await print({ json }, { resealed, lost }, `${resealed} resealed, all others use the current SECRET_KEY already`);
  if (lost.length > 0)
    throw new CommandError(`neither SECRET_KEY nor SECRET_KEY_PREVIOUS opens the secrets of ${lost.join(', ')}`);
}

const change = (prisma: PrismaService, work: (tx: Transaction) => Promise<{ count: number }>) =>
  prisma.change(commandLine('reseal'), work);

async function resealChannels(prisma: PrismaService, box: SecretBox, result: Result): Promise<void> {
  for (let after = 0; ;) {
    const rows = await prisma.channel.findMany({
      where: { id: { gt: after } },
      orderBy: { id: 'asc' },
      take: PAGE,
      include: { organization: { select: { slug: true } } },
    });
    for (const { id, config, organization, ...place } of rows) {
      const stored = config as StoredConfig;
      const secrets = Object.entries(stored).flatMap(([key, value]) =>
        typeof value === 'object' ? [{ key, value }] : [],
      );
      if (secrets.every(({ value }) => box.isCurrent(value.sealed))) continue;
      const fields = secrets.map(
        ({ key }) => ({ key, label: key, kind: 'string', required: false, secret: true }) as const,
      );
      await attempt(result, `channel ${organization.slug}/${place.slug}`, () => {
        const data = { config: sealConfig(fields, openConfig(stored, place, box), place, box) };
        // Somebody who changes the channel at this moment has used the current key.
        const where = { id, config: { equals: config as Prisma.InputJsonValue } };
        return change(prisma, (tx) => tx.channel.updateMany({ where, data }));
      });
    }
    if (rows.length < PAGE) return;
    after = rows.at(-1)!.id;
  }
}

async function resealStatusWebhooks(prisma: PrismaService, box: SecretBox, result: Result): Promise<void> {
  for (let after = 0; ;) {
    const rows = await prisma.statusWebhook.findMany({
      where: { applicationId: { gt: after } },
      orderBy: { applicationId: 'asc' },
      take: PAGE,
    });
    for (const { applicationId, organizationId, secret } of rows) {
      if (box.isCurrent(secret)) continue;
      await attempt(result, `the status webhook of application ${applicationId}`, () => {
        const place = statusSecretContext(organizationId, applicationId);
        const data = { secret: box.seal(box.open(secret, place), place) };
        return change(prisma, (tx) =>
          tx.statusWebhook.updateMany({ where: { applicationId, organizationId, secret }, data }),
        );
      });
    }
    if (rows.length < PAGE) return;
    after = rows.at(-1)!.applicationId;
  }
}

async function resealSigningSecrets(prisma: PrismaService, box: SecretBox, result: Result): Promise<void> {
  for (let after = 0; ;) {
    const rows = await prisma.signingSecret.findMany({
      where: { id: { gt: after } },
      orderBy: { id: 'asc' },
      take: PAGE,
      include: { organization: { select: { slug: true } } },
    });
    for (const { id, organizationId, kid, secret, organization } of rows) {
      if (box.isCurrent(secret)) continue;
      await attempt(result, `signing secret ${organization.slug}/${kid}`, () => {
        const place = signingSecretContext(organizationId, kid);
        const data = { secret: box.seal(box.open(secret, place), place) };
        return change(prisma, (tx) => tx.signingSecret.updateMany({ where: { id, secret }, data }));
      });
    }
    if (rows.length < PAGE) return;
    after = rows.at(-1)!.id;
  }
}

/** A token that no key opens is deleted: the next message makes another one. */
async function resealTokens(prisma: PrismaService, box: SecretBox, result: Result): Promise<void> {
  for (let after: { channelId: number; purpose: string } | null = null; ;) {
    const rows: ChannelToken[] = await prisma.channelToken.findMany({
      orderBy: [{ channelId: 'asc' }, { purpose: 'asc' }],
      take: PAGE,
      ...(after ? { cursor: { channelId_purpose: after }, skip: 1 } : {}),
    });
    for (const { channelId, purpose, sealed } of rows) {
      if (sealed === null || box.isCurrent(sealed)) continue;
      const place = tokenContext(channelId, purpose);
      const where = { channelId, purpose, sealed };
      try {
        const data = { sealed: box.seal(box.open(sealed, place), place) };
        result.resealed += (await prisma.channelToken.updateMany({ where, data })).count;
      } catch {
        await prisma.channelToken.deleteMany({ where });
      }
    }
    const last = rows.at(-1);
    if (rows.length < PAGE || !last) return;
    after = { channelId: last.channelId, purpose: last.purpose };
  }
}

async function attempt(result: Result, name: string, write: () => Promise<{ count: number }>): Promise<void> {
  let writing: Promise<{ count: number }>;
  try {
    writing = write();
  } catch {
    return void result.lost.push(name);
  }
  result.resealed += (await writing).count;
}
