import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { markdownTable, plansTable, sentence } from './table.mjs';

const FILE = fileURLToPath(new URL('../../docs/benchmarks.md', import.meta.url));

/** Comments on the figures: missed targets, causes, and what was tried. Written by hand. */
const REMARKS = new URL('remarks.md', import.meta.url);

const METHOD = `
\`npm run bench -- --write\` generates this page; run it to measure your machine. \`npm run bench -- trigger http\` runs only some scenarios.

- Everything runs on one machine and on loopback: the embedded PostgreSQL, with fsync on and an eighth of the memory as its cache; one process with
  \`ROLE=api\` and one with \`ROLE=worker\`, in production mode with logs; and separate processes for sinks and floors.
- A **floor** is the simplest program that has the same effect. The difference is the cost of Carillon.
- After a warm-up, the service and its floor run in turns. The tables show the median of the rounds, with the lowest and the highest, and the ratio
  of service to floor, computed round by round. For a rate (\`/s\`) a higher ratio is better, otherwise a lower one.
- CPU is the user and system time per operation of the processes of the service (or the floor), and of PostgreSQL.
- Each run checks its counts: every 201 is a row, every member a delivery, every delivery one message at the sink, and the queue is empty at the end.
  If the counts differ, the run reports no figures.
`;

/**
 * @param {{ name: string, about: string }[]} scenarios
 * @param {import('./results.mjs').Results} results
 */
export function writeDocument(scenarios, results) {
  const known = scenarios.flatMap(({ name, about }) => {
    const result = results.read(name);
    return result && !result.quick ? [{ about, ...result }] : [];
  });
  const remarks = readFileSync(REMARKS, 'utf8');
  const text = ['# Benchmarks', METHOD, '## The machine', machines(known), ...known.map(section), remarks].join('\n\n');
  writeFileSync(FILE, text);
  execFileSync('npm', ['run', '--silent', 'format', '--', FILE], { shell: process.platform === 'win32' });
  return FILE;
}

/** Usually one; several if scenarios ran on different machines or settings. */
function machines(known) {
  return [...new Set(known.map(({ machine }) => describe(machine)))].join('\n\n');
}

function describe({ carillon, cores, cpu, memoryGb, system, node, postgresql }) {
  const { server_version, fsync, synchronous_commit, shared_buffers } = postgresql;
  return `${cores} cores (${cpu}), ${memoryGb} GB, ${system}; Node ${node}; PostgreSQL ${server_version} with fsync ${fsync},
    synchronous_commit ${synchronous_commit}, shared_buffers ${shared_buffers}; Carillon ${carillon}.`;
}

const section = ({ scenario, about, at, machine, rounds, rows, plans, notes, counts }) =>
  [
    `## ${scenario}`,
    about,
    markdownTable(rows),
    ...(plans ? [plansTable(plans)] : []),
    `${notes.join(' ')} ${rounds === 1 ? '1 round' : `${rounds} rounds`}, ${at.slice(0, 10)}, load before them ${machine.loadBefore.toFixed(1)}. ${sentence(counts)}`,
  ].join('\n\n');
