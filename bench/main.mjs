// The benchmark: `npm run bench`, or `npm run bench -- SCENARIO ...`.
import { interrupted } from './interrupted.mjs';
import { takeCounts } from './measure/add-up.mjs';
import { writeDocument } from './report/document.mjs';
import { machineOf, warnings } from './report/machine.mjs';
import { UsageError, readOptions } from './options.mjs';
import { Postgres } from './world/postgres.mjs';
import { Progress } from './report/progress.mjs';
import { Results } from './report/results.mjs';
import { choices } from './scenarios/choices.mjs';
import { cold } from './scenarios/cold.mjs';
import { digest } from './scenarios/digest.mjs';
import { fanout } from './scenarios/fanout.mjs';
import { figures } from './scenarios/figures.mjs';
import { growth } from './scenarios/growth.mjs';
import { http } from './scenarios/http.mjs';
import { latency } from './scenarios/latency.mjs';
import { memory } from './scenarios/memory.mjs';
import { noisy } from './scenarios/noisy.mjs';
import { ping } from './scenarios/ping.mjs';
import { push } from './scenarios/push.mjs';
import { read } from './scenarios/read.mjs';
import { single } from './scenarios/single.mjs';
import { smtp } from './scenarios/smtp.mjs';
import { tenants } from './scenarios/tenants.mjs';
import { trigger } from './scenarios/trigger.mjs';
import { plansTable, sentence, textTable } from './report/table.mjs';
import { World } from './world.mjs';

const SCENARIOS = [
  ping,
  read,
  trigger,
  latency,
  cold,
  single,
  choices,
  digest,
  fanout,
  http,
  smtp,
  push,
  noisy,
  tenants,
  memory,
  growth,
  figures,
];

const progress = new Progress();

async function runScenario(postgres, { name, about, run }, { size, quick }, machine) {
  progress.begin(name);
  const world = new World(postgres, size, progress);
  try {
    const { rows, plans, notes } = await Promise.race([run(world), world.broken, interrupted]);
    progress.end();
    const counts = takeCounts();
    console.log(
      `\n${name}: ${about}\n\n${textTable(rows)}\n\n${plans ? `${plansTable(plans)}\n\n` : ''}${notes.join(' ')}\n${sentence(counts)}`,
    );
    return {
      scenario: name,
      at: new Date().toISOString(),
      quick,
      rounds: size.rounds,
      machine,
      rows,
      plans,
      notes,
      counts,
    };
  } finally {
    progress.end();
    await world.close();
  }
}

async function runAll(options) {
  const results = new Results(options.results);
  const chosen = SCENARIOS.filter(({ name }) => options.chosen.includes(name));
  for (const { name } of chosen) results.remove(name);
  const postgres = await Postgres.start();
  try {
    const machine = await machineOf(postgres);
    for (const warning of warnings(machine)) console.error(`warning: ${warning}`);
    for (const scenario of chosen) {
      const result = await runScenario(postgres, scenario, options, machine).catch((error) => {
        throw new Error(`${scenario.name}: ${error.message}`, { cause: error });
      });
      results.write(result);
    }
    if (options.write) console.error(`wrote ${writeDocument(SCENARIOS, results)}`);
  } finally {
    await postgres.stop();
  }
}

try {
  const names = SCENARIOS.map(({ name }) => name);
  await runAll(readOptions(process.argv.slice(2), names));
  process.exit(0);
} catch (error) {
  console.error(error instanceof UsageError ? error.message : `bench: ${error.message}`);
  process.exit(error instanceof UsageError ? 2 : 1);
}
