import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { markdownTable, sentence } from './table.mjs';

const FILE = fileURLToPath(new URL('../../docs/benchmarks.md', import.meta.url));

/** What figures alone do not say: which targets they miss, why, and what was tried. Written by hand. */
const REMARKS = new URL('remarks.md', import.meta.url);

const METHOD = `
\`npm run bench -- --write\` made this page, and makes it anew on your machine; \`npm run bench -- trigger http\` runs some scenarios only.

- Everything runs on one machine: PostgreSQL as it is embedded, with fsync on and an eighth of the memory as its cache; the service as \`ROLE=api\` and
  \`ROLE=worker\`, one process each, in production mode with its logs; sinks and floors as processes of their own, all on loopback.
- A **floor** is the least a program can do that has the same effect: what is lost against it is what Carillon costs.
- After a warm-up the service and its floor take turns. The median of the rounds is shown with the lowest and the highest; the ratio is that of
  the two, round by round. Where the figure is a rate (\`/s\`) a higher ratio is better, otherwise a lower one.
- CPU is user and system time of the service's (or the floor's) processes, and of PostgreSQL, for each operation.
- A run counts: every 201 is a row, every member a delivery, every delivery one message at the sink, and the queue is empty at the end. A run that
  does not add up has no number.
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

/** One, unless scenarios were run at different times on different ones. */
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
