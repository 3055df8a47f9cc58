import { isDeepStrictEqual } from 'node:util';
import { Inject, Injectable, Optional } from '@nestjs/common';
import { Cells } from '../../cell/directory/cells.js';
import { CONFIG } from '../../platform/config/config.js';
import type { Config } from '../../platform/config/config.js';
import type { ChannelConfig, Dispatcher } from '../../dispatcher/dispatcher.js';
import { DISPATCHERS } from '../../dispatcher/dispatcher.module.js';
import { Outbound } from '../../dispatcher/outbound/outbound.js';
import { Problem } from '../../platform/http/problem.js';
import { commandLine } from '../../platform/database/actor.js';
import { PrismaService } from '../../platform/database/prisma.service.js';
import { SecretBox } from '../../platform/secret/secret-box.js';
import { errorLines } from '../../api/resource/error-lines.js';
import { normalizeAddress } from '../../api/user/address.js';
import { OrganizationApply } from './apply/apply.js';
import { deletionsOf } from './apply/change.js';
import type { Change } from './apply/change.js';
import { refuseDuplicates } from './apply/duplicates.js';
import { Prune } from './apply/prune.js';
import { readTemplateFiles } from './apply/template-files.js';
import { beginBulkWrite } from './bulk-write.js';
import { MAX_PROBLEMS, ProvisioningError } from './file.js';
import type { ProvisioningFile } from './file.js';

interface ApplyOptions {
  /** Only return the changes: roll them back. */
  dryRun?: boolean;
  /** Also delete rows that are missing from the file's lists. A list that the file leaves out is not touched. */
  prune?: boolean;
  /** The plan whose deletions somebody approved. If the deletions differ now, nothing is applied. */
  agreed?: Change[];
  /** How many users of each deletion the plan names. Default: 20. */
  maxNames?: number;
  /** The folder that `file:` references are relative to. */
  folder?: string;
  env?: Record<string, string | undefined>;
  progress?: (done: number, total: number) => void;
  /** Called with what is probably a mistake. */
  warn?: (text: string) => void;
}

const MAX_NAMES = 20;

const nameAndId = { slug: true, id: true } as const;

@Injectable()
export class ProvisioningService {
  constructor(
    private readonly prisma: PrismaService,
    @Inject(DISPATCHERS) private readonly dispatchers: ReadonlyMap<string, Dispatcher>,
    private readonly secrets: SecretBox,
    @Inject(CONFIG) private readonly config: Config,
    private readonly outbound: Outbound,
    @Optional() private readonly cells?: Cells,
  ) {}

  /** Applies the file to the database in one transaction: all of it or nothing. */
  async apply(text: string, options: ApplyOptions): Promise<Change[]> {
    const { env = {}, folder = '.' } = options;
    const { readProvisioningFile } = await import('./file-check.js');
    const file = readProvisioningFile(text);
    refuseDuplicates(file);
    readTemplateFiles(file, folder);
    normalizeAddresses(file);
    const total = countUsers(file);
    const rollback = new Error('dry run');
    let changes: Change[] = [];
    if (!options.dryRun) await this.claim(file);
    try {
      await this.prisma.change(commandLine('apply'), async (tx) => {
        await beginBulkWrite(tx);
        let done = 0;
        const progress = (step: number) => options.progress?.((done += step), total);
        const { dispatchers, secrets } = this;
        const { quotas } = this.config;
        const willPrune = options.prune ?? false;
        const look = (channel: string, settings: ChannelConfig) => {
          const refusal = this.outbound.refusalOf(settings);
          if (refusal !== null) options.warn?.(`channel ${channel}: ${refusal}`);
        };
        const context = { tx, dispatchers, secrets, quotas, willPrune, env, folder, progress, look };
        const run = new OrganizationApply(context);
        for (const organization of file.organizations) await run.run(organization);
        const prune = new Prune(tx, quotas, options.maxNames ?? MAX_NAMES);
        if (willPrune) for (const organization of file.organizations) await prune.run(organization);
        changes = [...run.changes, ...prune.changes];
        if (options.agreed && !isDeepStrictEqual(deletionsOf(changes), deletionsOf(options.agreed)))
          throw new ProvisioningError([
            'the deletions differ from the approved plan, so nothing was applied: run the command again',
          ]);
        if (options.dryRun) throw rollback;
      });
    } catch (error) {
      if (error !== rollback) throw error;
    }
    if (!options.dryRun) await this.tellDirectory(file);
    return changes;
  }

  /** Refuses organizations of other cells. */
  private async claim({ organizations }: ProvisioningFile): Promise<void> {
    if (!this.cells) return;
    for (const { slug } of organizations) {
      try {
        await this.cells.claim(slug);
      } catch (error) {
        if (!(error instanceof Problem) || error.kind !== 'invalid-request') throw error;
        throw new ProvisioningError([`organization ${slug} lives in another cell: apply the file there`]);
      }
    }
  }

  private async tellDirectory({ organizations }: ProvisioningFile): Promise<void> {
    if (!this.cells) return;
    const slugs = organizations.map(({ slug }) => slug);
    const rows = await this.prisma.organization.findMany({ where: { slug: { in: slugs } }, select: nameAndId });
    for (const { slug, id } of rows) await this.cells.created(slug, id);
  }
}

function countUsers({ organizations }: ProvisioningFile): number {
  return organizations.reduce((sum, { users = [], projects = [] }) => {
    const members = projects.flatMap(({ distribution_lists: lists = [] }) =>
      lists.map((list) => list.members?.length ?? 0),
    );
    return sum + users.length + members.reduce((a, b) => a + b, 0);
  }, 0);
}

function normalizeAddresses({ organizations }: ProvisioningFile): void {
  const problems: string[] = [];
  for (const { slug, users = [] } of organizations) {
    for (const { email, addresses = [] } of users) {
      for (const address of addresses) {
        const normal = normalizeAddress(address.name, address.value);
        if ('problem' in normal)
          problems.push(...errorLines(`user ${slug}/${email}`, { [`addresses.${address.name}`]: [normal.problem] }));
        else address.value = normal.value;
      }
    }
  }
  if (problems.length > 0) throw new ProvisioningError(problems.slice(0, MAX_PROBLEMS));
}
