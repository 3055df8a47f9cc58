import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { visibleLines } from '../../platform/config/visible.js';
import { deletionsOf } from '../provisioning/apply/change.js';
import type { Change } from '../provisioning/apply/change.js';
import { ProvisioningService } from '../provisioning/provisioning.service.js';
import { planText } from './print/plan.js';
import { CommandError, cannotRead, print } from './print/print.js';
import type { PrintOptions } from './print/print.js';
import { progressBar } from './print/progress-bar.js';
import { withProvisioning } from './provisioning-services.js';

export interface ApplyCommandOptions extends PrintOptions {
  dryRun?: boolean;
  prune?: boolean;
  yes?: boolean;
}

/** Exit code of a dry run that found changes, for scripts. */
const WOULD_CHANGE = 2;
const EVERYBODY = 2 ** 31 - 1;

export async function apply(file: string, options: ApplyCommandOptions): Promise<void> {
  const { dryRun = false, prune, yes, json } = options;
  const text = readInput(file);
  const folder = file === '-' ? '.' : dirname(file);
  const warnings = new Set<string>();
  const changes = await withProvisioning(async (services) => {
    const run = (dry: boolean, agreed?: Change[]) =>
      services.get(ProvisioningService).apply(text, {
        ...{ dryRun: dry, prune, agreed, folder, env: process.env, name: file === '-' ? null : file },
        ...(json && { maxNames: EVERYBODY }),
        // A user counts once, and once more in each list.
        progress: progressBar('users and members'),
        warn: (text) => warnings.add(text),
      });
    const agreed = prune && !dryRun && !yes ? await confirm(await run(true), file === '-') : undefined;
    return run(dryRun, agreed);
  });
  for (const text of warnings) process.stderr.write(`warning: ${visibleLines(text)}\n`);
  await print(options, { dry_run: dryRun, changes }, report(changes, dryRun));
  if (dryRun && changes.length > 0) process.exitCode = WOULD_CHANGE;
}

/** Shows the plan and asks before it deletes. Without a yes, nothing is changed. */
async function confirm(planned: Change[], isFileOnStdin: boolean): Promise<Change[]> {
  const deletions = deletionsOf(planned);
  if (deletions.length === 0) return planned;
  const { stdin: input, stderr: output } = process;
  if (isFileOnStdin || !input.isTTY)
    throw new CommandError(`nothing was changed: add --yes to confirm these deletions\n${planText(deletions)}`);
  output.write(`${visibleLines(planText(planned))}\n`);
  const terminal = createInterface({ input, output });
  const question = terminal.question('Make these changes? A deletion also deletes everything inside. (yes/no) ');
  const closed = once(terminal, 'close').then(() => ''); // Ctrl-C and Ctrl-D mean no
  const answer = await Promise.race([question, closed]);
  terminal.close();
  if (!/^y(es)?$/i.test(answer.trim())) throw new CommandError('nothing was changed');
  return planned;
}

function readInput(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (error) {
    throw cannotRead(file, error);
  }
}

function report(changes: Change[], dryRun: boolean): string {
  if (changes.length === 0) return 'nothing to change';
  return [planText(changes), dryRun ? 'nothing was changed (dry run)' : 'done'].join('\n');
}
