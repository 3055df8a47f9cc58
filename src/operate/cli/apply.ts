import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { visibleLines } from '../../platform/config/visible.js';
import { isAboutTranslation } from '../../rules/language/translation-gaps.js';
import { deletionsOf } from '../provisioning/apply/change.js';
import type { Change } from '../provisioning/apply/change.js';
import { readSource } from './file/read-source.js';
import type { Applied, ApplyTarget } from './file/apply-target.js';
import { planText } from './print/plan.js';
import { CommandError, print } from './print/print.js';
import type { PrintOptions } from './print/print.js';
import { remoteService } from './remote/options.js';
import type { RemoteOptions } from './remote/options.js';

export interface ApplyCommandOptions extends PrintOptions, RemoteOptions {
  dryRun?: boolean;
  prune?: boolean;
  yes?: boolean;
  strictTranslations?: boolean;
}

/** Exit code of a dry run that found changes, for scripts. */
const WOULD_CHANGE = 2;

export async function apply(file: string, options: ApplyCommandOptions): Promise<void> {
  const { dryRun = false, prune = false, yes, json = false } = options;
  const { changes, warnings } = await withTarget(file, options, async (target) => {
    const run = (dry: boolean, agreed?: Applied) => target({ dryRun: dry, prune, namesAll: json, agreed });
    if (options.strictTranslations) requireTranslations(await run(true));
    const agreed = prune && !dryRun && !yes ? await confirm(await run(true), file === '-') : undefined;
    return run(dryRun, agreed);
  });
  for (const text of warnings) process.stderr.write(`warning: ${visibleLines(text)}\n`);
  await print(options, { dry_run: dryRun, changes }, report(changes, dryRun));
  if (dryRun && changes.length > 0) process.exitCode = WOULD_CHANGE;
}

/** For CI: an error, and nothing is changed, while translations are missing or outdated. */
function requireTranslations({ warnings }: Applied): void {
  const gaps = warnings.filter(isAboutTranslation);
  if (gaps.length === 0) return;
  const count = gaps.length === 1 ? '1 translation is' : `${gaps.length} translations are`;
  throw new CommandError(`nothing was changed: ${count} missing or outdated\n${gaps.join('\n')}`);
}

/** A service that the options or the environment name, or else the database. Loads only what it needs. */
async function withTarget<Result>(
  file: string,
  options: RemoteOptions,
  work: (target: ApplyTarget) => Promise<Result>,
): Promise<Result> {
  const source = readSource(file, process.env);
  const service = remoteService(options);
  if (service) return work((await import('./file/remote-target.js')).remoteTarget(service, source));
  return (await import('./file/database-target.js')).withDatabaseTarget(source, work);
}

/** Shows the plan and asks before it deletes. Without a yes, nothing is changed. */
async function confirm(planned: Applied, isFileOnStdin: boolean): Promise<Applied> {
  const deletions = deletionsOf(planned.changes);
  if (deletions.length === 0) return planned;
  const { stdin: input, stderr: output } = process;
  if (isFileOnStdin || !input.isTTY)
    throw new CommandError(`nothing was changed: add --yes to confirm these deletions\n${planText(deletions)}`);
  output.write(`${visibleLines(planText(planned.changes))}\n`);
  const terminal = createInterface({ input, output });
  const question = terminal.question('Make these changes? A deletion also deletes everything inside. (yes/no) ');
  const closed = once(terminal, 'close').then(() => ''); // Ctrl-C and Ctrl-D mean no
  const answer = await Promise.race([question, closed]);
  terminal.close();
  if (!/^y(es)?$/i.test(answer.trim())) throw new CommandError('nothing was changed');
  return planned;
}

function report(changes: Change[], dryRun: boolean): string {
  if (changes.length === 0) return 'nothing to change';
  return [planText(changes), dryRun ? 'nothing was changed (dry run)' : 'done'].join('\n');
}
