import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { markdownTable, sentence } from './table.mjs';

const FILE = fileURLToPath(new URL('../../docs/benchmarks.md', import.meta.url));

/** Remarks that are written by hand: which targets the figures miss, why, and what was tried. */
const REMARKS = new URL('remarks.md', import.meta.url);

const METHOD = `
\`npm run bench -- --write\` generated this page. Run it to generate the page for your machine. \`npm run bench -- trigger http\` runs only some scenarios.

- Everything runs on one machine, over loopback. PostgreSQL is the embedded one, with fsync on and an eighth of the memory as its cache. The service runs
  as \`ROLE=api\` and \`ROLE=worker\`, one process each, in production mode with logs. Each sink and each floor is a separate process.
- A **floor** is the simplest program that has the same effect. The difference between the service and its floor is the cost of Carillon.
- After a warm-up, the service and its floor are measured alternately. Tables show the median, lowest and highest of the rounds. The ratio is service to
  floor, round by round. For a rate (\`/s\`) a higher ratio is better; for a time or memory a lower one.
- CPU is the user and system time per operation of the service (or the floor), and of PostgreSQL.
- Every run checks its counts: each 201 is a row, each member is a delivery, each delivery is one message at the sink, and the queue is empty at the end.
  A run whose counts do not add up has no result.
`;

/**
 * @param {{ name: string, about: string }[]} scenarios
 * @param {import('./results.mjs').Results} results
 */
export async function writeDocument(scenarios, results) {
  const known = scenarios.flatMap(({ name, about }) => {
    const result = results.read(name);
    return result && !result.quick ? [{ about, ...result }] : [];
  });
  const remarks = readFileSync(REMARKS, 'utf8');
  const text = ['# Benchmarks', METHOD, '## The machine', machines(known), ...known.map(section), remarks].join('\n\n');
  writeFileSync(FILE, await format(text, { ...(await resolveConfig(FILE)), parser: 'markdown' }));
  return FILE;
}

/** One machine, unless scenarios ran on different ones. */
function machines(known) {
  return [...new Set(known.map(({ machine }) => describe(machine)))].join('\n\n');
}

function describe({ carillon, cores, cpu, memoryGb, system, node, postgresql }) {
  const { server_version, fsync, synchronous_commit, shared_buffers } = postgresql;
  return `${cores} cores (${cpu}), ${memoryGb} GB, ${system}; Node ${node}; PostgreSQL ${server_version} with fsync ${fsync},
    synchronous_commit ${synchronous_commit}, shared_buffers ${shared_buffers}; Carillon ${carillon}.`;
}

const section = ({ scenario, about, at, machine, rounds, rows, notes, counts }) =>
  [
    `## ${scenario}`,
    about,
    markdownTable(rows),
    `${notes.join(' ')} ${rounds} rounds, ${at.slice(0, 10)}, load before them ${machine.loadBefore.toFixed(1)}. ${sentence(counts)}`,
  ].join('\n\n');
