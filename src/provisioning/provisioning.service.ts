import { isDeepStrictEqual } from 'node:util';
import { Inject, Injectable } from '@nestjs/common';
import type { Dispatcher } from '../dispatcher/dispatcher.js';
import { DISPATCHERS } from '../dispatcher/dispatcher.module.js';
import { commandLine } from '../prisma/actor.js';
import { PrismaService } from '../prisma/prisma.service.js';
import { SecretBox } from '../secret/secret-box.js';
import { normalizeAddress } from '../user/address.js';
import { workAlone } from './alone.js';
import { OrganizationApply } from './apply/apply.js';
import { deletionsOf } from './apply/change.js';
import type { Change } from './apply/change.js';
import { refuseDoubles } from './apply/doubles.js';
import { Prune } from './apply/prune.js';
import { readTemplateFiles } from './apply/template-files.js';
import { ProvisioningError, readProvisioningFile } from './file.js';
import type { ProvisioningFile } from './file.js';

export interface ApplyOptions {
  /** Work out the changes, keep none of them. */
  dryRun?: boolean;
  /** Also delete what the file does not name, in the lists that it holds. */
  prune?: boolean;
  /** What a person agreed to delete: if it would be anything else by now, nothing is done. */
  agreed?: Change[];
  /** Where `file:` references start. */
  folder?: string;
  env?: Record<string, string | undefined>;
  progress?: (done: number, total: number) => void;
}

@Injectable()
export class ProvisioningService {
  constructor(
    private readonly prisma: PrismaService,
    @Inject(DISPATCHERS) private readonly dispatchers: ReadonlyMap<string, Dispatcher>,
    private readonly secrets: SecretBox,
  ) {}

  /** Makes the database agree with the file, in one transaction: all of it or nothing. */
  async apply(text: string, options: ApplyOptions): Promise<Change[]> {
    const { env = {}, folder = '.' } = options;
    const file = readProvisioningFile(text);
    refuseDoubles(file);
    readTemplateFiles(file, folder);
    normalizeAddresses(file);
    const total = countPeople(file);
    const rollback = new Error('dry run');
    let changes: Change[] = [];
    try {
      await this.prisma.change(commandLine('apply'), async (tx) => {
        await workAlone(tx);
        let done = 0;
        const progress = (step: number) => options.progress?.((done += step), total);
        const context = { tx, dispatchers: this.dispatchers, secrets: this.secrets, env, folder, progress };
        const run = new OrganizationApply(context);
        for (const organization of file.organizations) await run.run(organization);
        const prune = new Prune(tx);
        if (options.prune) for (const organization of file.organizations) await prune.run(organization);
        changes = [...run.changes, ...prune.changes];
        if (options.agreed && !isDeepStrictEqual(deletionsOf(changes), deletionsOf(options.agreed)))
          throw new ProvisioningError(['what would be deleted has changed meanwhile: nothing was changed, look again']);
        if (options.dryRun) throw rollback;
      });
    } catch (error) {
      if (error !== rollback) throw error;
    }
    return changes;
  }
}

function countPeople({ organizations }: ProvisioningFile): number {
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
          problems.push(`organization ${slug}, user ${email}: ${address.name} ${normal.problem}`);
        else address.value = normal.value;
      }
    }
  }
  if (problems.length > 0) throw new ProvisioningError(problems.slice(0, 20));
}
