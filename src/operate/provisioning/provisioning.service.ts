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
import type { Actor } from '../../platform/database/actor.js';
import { PrismaService } from '../../platform/database/prisma.service.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { SecretBox } from '../../platform/secret/secret-box.js';
import type { Inspect } from '../../api/notification/notification-templates.js';
import { OrganizationApply } from './apply/apply.js';
import { DELETIONS_DIFFER, deletionsOf } from './apply/change.js';
import type { Change } from './apply/change.js';
import { findDuplicates } from './apply/duplicates.js';
import { FragmentsApply } from './apply/layouts.js';
import { Prune } from './apply/prune.js';
import { resolveReferences } from './apply/references.js';
import { beginBulkWrite } from './bulk-write.js';
import { ProvisioningError } from './file.js';
import type { ProvisioningFile } from './file.js';
import type { FileProblems } from './problem/file-problems.js';

interface RunOptions {
  /** Only return the changes: roll them back. */
  dryRun?: boolean;
  /** Also delete rows that are missing from the file's lists. A list that the file leaves out is not touched. */
  prune?: boolean;
  /** The plan whose deletions somebody approved. If the deletions differ now, nothing is applied. */
  agreed?: Change[];
  /** How many users of each deletion the plan names. Default: 20. */
  maxNames?: number;
  /** The file is only a part of the organization: projects that it does not list are not deleted. */
  isPartial?: boolean;
  /** The longest time of the transaction. */
  timeoutMs?: number;
  /** Tells about the templates of the file; default: inspects them here. */
  inspect?: Inspect;
  /** May refuse the changes before they are committed. */
  check?: (changes: Change[]) => void;
  progress?: (done: number, total: number) => void;
}

interface ApplyOptions extends RunOptions {
  /** Called with what is probably a mistake. */
  warn?: (text: string) => void;
  /** The file in problems; null: they name only the line. */
  name?: string | null;
  /** The folder that `file:` references are relative to. */
  folder?: string;
  env?: Record<string, string | undefined>;
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

  /** Reads a file and applies it to the database in one transaction: all of it or nothing. */
  async apply(text: string, options: ApplyOptions): Promise<Change[]> {
    const { env = {}, folder = '.', name = null } = options;
    const { readProvisioningFile } = await import('./file-check.js');
    const { file, problems } = readProvisioningFile(text, name);
    const { dispatchers } = this;
    resolveReferences(file, { env, folder, dispatchers }, problems);
    const isReal = !options.dryRun && problems.isEmpty;
    if (isReal) await this.claim(file);
    const changes = await this.applyFile(file, problems, options, commandLine('apply'), beginBulkWrite);
    for (const line of problems.warningLines()) options.warn?.(line);
    if (isReal) await this.tellDirectory(file);
    return changes;
  }

  /** Applies a file without references. `begin` prepares the transaction. */
  async applyFile(
    file: ProvisioningFile,
    problems: FileProblems,
    options: RunOptions,
    by: Actor,
    begin: (tx: Transaction) => Promise<void>,
  ): Promise<Change[]> {
    findDuplicates(file, problems);
    const rollback = new Error('dry run');
    let changes: Change[] = [];
    try {
      await this.prisma.change(
        by,
        async (tx) => {
          await begin(tx);
          changes = await this.run(tx, file, problems, options);
          options.check?.(changes);
          if (options.dryRun) throw rollback;
        },
        options,
      );
    } catch (error) {
      if (error !== rollback) throw error;
    }
    return changes;
  }

  private async run(tx: Transaction, file: ProvisioningFile, problems: FileProblems, options: RunOptions) {
    const total = countUsers(file);
    let done = 0;
    const progress = (step: number) => options.progress?.((done += step), total);
    const { dispatchers, secrets } = this;
    const { quotas } = this.config;
    const willPrune = options.prune ?? false;
    const look = (channel: object, settings: ChannelConfig) => {
      const refusal = this.outbound.refusalOf(settings);
      if (refusal !== null) problems.warn(channel, '', refusal);
    };
    const { inspect, isPartial = false } = options;
    const context = { tx, dispatchers, secrets, quotas, willPrune, problems, progress, look, inspect };
    const fragments = new FragmentsApply(context);
    const run = new OrganizationApply(context, fragments);
    for (const organization of file.organizations) await run.run(organization);
    problems.refuse();
    const prune = new Prune(context, fragments, { maxNames: options.maxNames ?? MAX_NAMES, isPartial });
    if (willPrune) for (const organization of file.organizations) await prune.run(organization);
    await run.removeMessages();
    await fragments.renew();
    problems.refuse();
    const changes = [...run.changes, ...prune.changes];
    if (options.agreed && !isDeepStrictEqual(deletionsOf(changes), deletionsOf(options.agreed)))
      throw new ProvisioningError([DELETIONS_DIFFER]);
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
