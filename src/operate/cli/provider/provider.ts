import { readFile } from 'node:fs/promises';
import { builtInProvider, builtInText, builtInTypes } from '../../../dispatcher/provider/built-in.js';
import { runExamples } from '../../../dispatcher/provider/example/run-examples.js';
import { shownOutcome } from '../../../dispatcher/provider/example/examples.js';
import { ProviderProblem } from '../../../dispatcher/provider/read/place.js';
import { readProvider } from '../../../dispatcher/provider/read/read-provider.js';
import { suggest } from '../../../platform/field/error/closest.js';
import { CommandError, aligned, cannotRead, print, type PrintOptions } from '../print/print.js';

export async function list(options: PrintOptions): Promise<void> {
  const rows = builtInTypes().map((type) => {
    const { label, address, outcomes, examples, reports, documentation } = builtInProvider(type);
    const counts = { outcomes: outcomes.length, examples: examples.length };
    return {
      type,
      label,
      address,
      ...counts,
      reports: reports && ('reader' in reports ? reports.reader : 'file'),
      documentation,
    };
  });
  const head = ['TYPE', 'LABEL', 'ADDRESS', 'OUTCOMES', 'EXAMPLES', 'REPORTS', 'DOCUMENTATION'];
  const lines = rows.map((row) => Object.values(row).map((value) => String(value ?? '-')));
  await print(options, rows, aligned([head, ...lines]));
}

export async function show(type: string, options: PrintOptions): Promise<void> {
  const types = builtInTypes();
  if (!types.includes(type)) throw new CommandError(`"${type}" is not a built-in provider file${suggest(type, types)}`);
  await print(options, { type, file: builtInText(type) }, builtInText(type));
}

/** Prints each example with its outcome. Fails if one is not as the file says. */
export async function test(file: string, options: PrintOptions): Promise<void> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw cannotRead(file, error);
  });
  const provider = parsed(text, file);
  const results = await runExamples(provider);
  // Those of reports were checked when the file was read.
  const reports = provider.reports && 'examples' in provider.reports ? provider.reports.examples : [];
  const lines = results.flatMap(({ example, outcome, problems }) => [
    `${problems.length === 0 ? 'ok    ' : 'FAILED'}  ${example.name || `status ${example.answer.status}`}: ${said(outcome)}`,
    ...problems.map((problem) => `        ${problem}`),
  ]);
  for (const { name, expect } of reports)
    lines.push(`ok      report ${name}: ${expect.map(({ kind }) => kind).join(', ') || 'nothing'}`);
  const failed = results.filter(({ problems }) => problems.length > 0).length;
  const shown = results.map(({ example: { name }, outcome, problems }) => ({
    ...{ name, outcome: shownOutcome(outcome), problems },
  }));
  const reported = reports.map(({ name, expect }) => ({ name, reports: expect, problems: [] }));
  await print(options, [...shown, ...reported], lines.join('\n'));
  if (failed > 0) throw new CommandError(`${failed} of ${results.length} examples failed`);
}

function parsed(text: string, file: string) {
  try {
    return readProvider(text, file);
  } catch (error) {
    if (error instanceof ProviderProblem) throw new CommandError(error.message, { cause: error });
    throw error;
  }
}

function said(outcome: Parameters<typeof shownOutcome>[0]): string {
  const { kind, ...more } = shownOutcome(outcome);
  const details = Object.entries(more).map(([name, value]) => `${name} ${String(value)}`);
  return [kind, ...details].join(', ');
}
