import { readFile } from 'node:fs/promises';
import { builtInProvider, builtInText, builtInTypes } from '../../../dispatcher/provider/built-in.js';
import { shownCheck } from '../../../dispatcher/provider/check/read-test.js';
import { runExamples, runTestExamples } from '../../../dispatcher/provider/example/run-examples.js';
import { shownOutcome } from '../../../dispatcher/provider/example/examples.js';
import { ProviderProblem } from '../../../dispatcher/provider/read/place.js';
import { providerSection } from '../../../dispatcher/provider/page/provider-section.js';
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

/** Prints the part of docs/providers.md about a file. */
export async function describe(file: string, options: PrintOptions): Promise<void> {
  const isBuiltIn = builtInTypes().includes(file);
  const text = isBuiltIn ? builtInText(file) : await textOf(file);
  const markdown = providerSection({ provider: parsed(text, isBuiltIn ? `${file}.yaml` : file), text });
  await print(options, { file, markdown }, markdown);
}

/** Prints each example with its outcome. Fails if one is not as the file says. */
export async function test(file: string, options: PrintOptions): Promise<void> {
  const provider = parsed(await textOf(file), file);
  const sent = (await runExamples(provider)).map(({ example: { name, answer }, outcome, problems }) => ({
    name: name || `status ${answer.status}`,
    said: said(shownOutcome(outcome)),
    shown: { name, outcome: shownOutcome(outcome), problems },
  }));
  const checked = (await runTestExamples(provider)).map(({ example: { name, answer }, check, problems }) => ({
    name: `check ${name || `status ${answer.status}`}`,
    said: check.ok ? 'ok' : `not ok, fault ${check.fault}`,
    shown: { name, check: shownCheck(check), problems },
  }));
  const results = [...sent, ...checked];
  const lines = results.flatMap(({ name, said: result, shown: { problems } }) => [
    `${problems.length === 0 ? 'ok    ' : 'FAILED'}  ${name}: ${result}`,
    ...problems.map((problem) => `        ${problem}`),
  ]);
  // Those of reports were checked when the file was read.
  const reports = provider.reports && 'examples' in provider.reports ? provider.reports.examples : [];
  for (const { name, expect } of reports)
    lines.push(`ok      report ${name}: ${expect.map(({ kind }) => kind).join(', ') || 'nothing'}`);
  const failed = results.filter(({ shown }) => shown.problems.length > 0).length;
  const shown = results.map((result) => result.shown);
  const reported = reports.map(({ name, expect }) => ({ name, reports: expect, problems: [] }));
  await print(options, [...shown, ...reported], lines.join('\n'));
  if (failed > 0) throw new CommandError(`${failed} of ${results.length} examples failed`);
}

const textOf = (file: string): Promise<string> =>
  readFile(file, 'utf8').catch((error: unknown) => {
    throw cannotRead(file, error);
  });

function parsed(text: string, file: string) {
  try {
    return readProvider(text, file);
  } catch (error) {
    if (error instanceof ProviderProblem) throw new CommandError(error.message, { cause: error });
    throw error;
  }
}

function said({ kind, ...more }: ReturnType<typeof shownOutcome>): string {
  const details = Object.entries(more).map(([name, value]) => `${name} ${String(value)}`);
  return [kind, ...details].join(', ');
}
