import { PROMISES } from './check/check.mjs';
import { curlOf } from './play/shorten.mjs';

const number = (value) => value.toLocaleString('en', { maximumFractionDigits: 0 });

/** Fewer requests may miss an operation by chance. */
const ENOUGH = 400;

/** Adds a finding for each operation that never succeeded: a request that always fails tests little. */
export function findUncovered({ results, operations }) {
  if (results.requests < ENOUGH * operations.length) {
    console.log(
      `Too few requests to tell whether every operation succeeds: ${ENOUGH * operations.length} are enough.\n`,
    );
    return;
  }
  for (const operation of operations) {
    const statuses = [...(results.statuses.get(operation.id)?.keys() ?? [])];
    if (!statuses.some((status) => status >= 200 && status < 300))
      results.add({ kind: 'coverage', text: `only answered ${statuses.join(', ') || 'nothing'}` }, operation, null);
  }
}

/** Prints what a run saw. Returns how many promises were kept and broken. */
export function report({ seed }, outcome) {
  const { results, operations, seconds, memory } = outcome;
  console.log(operationTable(results, operations));
  const classes = new Map();
  for (const statuses of results.statuses.values())
    for (const [status, count] of statuses) {
      const name = status === 0 ? 'none' : `${String(status)[0]}xx`;
      classes.set(name, (classes.get(name) ?? 0) + count);
    }
  console.log(
    `\n${number(results.requests)} requests in ${seconds.toFixed(0)} s, ${number(results.requests / seconds)} a second, seed ${seed}`,
  );
  console.log(
    [...classes]
      .sort(([a], [b]) => a.localeCompare(b))
      .map(([name, count]) => `${name} ${number(count)}`)
      .join(', ') + `, raw ${number(results.raw)}`,
  );
  if (results.busy > 0) console.log(`${number(results.busy)} times the service was busy (503), and the client waited`);
  console.log(`${results.sequences} sequences, ${results.races} races of 64 clients`);
  for (const [when, { heapMb, rssMb }] of Object.entries(memory))
    console.log(
      `memory at the ${when}: ${heapMb.toFixed(0)} MB of heap after a collection, ${rssMb.toFixed(0)} MB resident`,
    );
  console.log();
  const findings = [...results.findings.values()];
  for (const finding of findings) console.log(findingText(finding));
  let failed = 0;
  for (const [kind, promise] of Object.entries(PROMISES)) {
    const of = findings.filter((finding) => finding.kind === kind);
    if (of.length > 0) failed++;
    console.log(`${of.length > 0 ? 'FAILED' : 'ok    '}  ${promise}${of.length > 0 ? `: ${of.length} findings` : ''}`);
  }
  return { passed: Object.keys(PROMISES).length - failed, failed };
}

function operationTable({ statuses }, operations) {
  const width = Math.max(...operations.map(({ id }) => id.length));
  const lines = operations.map(({ id }) => {
    const of = [...(statuses.get(id) ?? [])]
      .sort(([a], [b]) => a - b)
      .map(([status, count]) => `${status || 'none'}: ${count}`);
    return `${id.padEnd(width)}  ${of.join('  ')}`;
  });
  return lines.join('\n');
}

/** A finding, and the shortest request that shows it. */
export function findingText({ kind, where, text, count, request }) {
  const lines = [`${kind}, ${where}, ${count} times: ${text.slice(0, 600)}`];
  if (request?.isRaw) lines.push(`  bytes: ${request.body}`);
  else if (request) lines.push(`  ${curlOf(request)}`);
  return `${lines.join('\n')}\n`;
}
