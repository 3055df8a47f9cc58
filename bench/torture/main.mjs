// Makes faults of every kind under load, and counts what became of every trigger: `npm run torture`.
import { interrupted } from '../interrupted.mjs';
import { UsageError } from '../options.mjs';
import { Progress } from '../report/progress.mjs';
import { World } from '../world.mjs';
import { Postgres } from '../world/postgres.mjs';
import { STEADY, RUDE, STRICT, createCrowds } from './crowds.mjs';
import { drain } from './drain.mjs';
import { Faults } from './faults/faults.mjs';
import { schedule } from './faults/schedule.mjs';
import { readFacts } from './judge/facts.mjs';
import { tables } from './judge/table.mjs';
import { isBroken, verdict } from './judge/verdict.mjs';
import { Ledger } from './ledger.mjs';
import { Load, MOST_WAITING } from './load.mjs';
import { Observer } from './observer.mjs';
import { readOptions } from './options.mjs';
import { Processes, ROLES } from './processes.mjs';
import { Random } from './random.mjs';
import { Volume } from './volume.mjs';
import { keepEvidence, writeTables } from './write.mjs';

const progress = new Progress();

async function torture(world, postgres, volume, options) {
  const { seed, minutes } = options;
  progress.step('starting three processes');
  const database = await world.database('torture');
  const sink = await world.sink('unreliable', { seed, rude: RUDE, strict: STRICT });
  const network = await world.network(ROLES.length);
  const crowds = await createCrowds(world, database, sink.facts.url);
  const observer = new Observer(database.url);
  const urls = network.facts.ports.map((port) => database.url.replace(/:\d+\//, `:${port}/`));
  const processes = new Processes(world, urls, new Random(seed + 1));
  await processes.start();

  const ledger = new Ledger();
  const load = new Load(processes, new Random(seed + 2), ledger, crowds);
  const server = { url: database.url, pid: () => postgres.pid };
  const parts = { processes, observer, network, sink, postgres: server, volume };
  const faults = new Faults(parts, new Random(seed + 3), (line) => progress.line(line));

  progress.step(`faults for ${minutes} minutes`);
  const endAt = Date.now() + minutes * 60_000;
  let isOver = false;
  const loaded = load.run(
    () => !isOver,
    () => observer.waiting(),
  );
  const look = setInterval(() => progress.note(`${ledger.accepted.size.toLocaleString('en')} triggers accepted`), 1000);
  try {
    await Promise.race([faults.run(schedule(options)), loaded]);
    await rest(endAt - Date.now());
  } finally {
    isOver = true;
    clearInterval(look);
  }
  await loaded;
  await processes.allRunning();
  await load.settleKeys();
  await drain({ observer, load, sink }, progress);
  processes.over();
  progress.step('counting');
  const read = await readFacts(observer, sink);
  await Promise.all([observer.close(), load.close()]);
  const deserters = processes.deserters.length;
  const made = faults.made.sort((a, b) => a.from - b.from);
  return { facts: { ...read, ledger, withoutAnswer: load.withoutAnswer, deserters, faults: made }, processes };
}

const rest = (ms) => new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)));

async function run(options) {
  console.error(`torture: ${options.minutes} minutes, ${options.kills} kills, seed ${options.seed}`);
  progress.begin('torture');
  const volume = mountVolume(options);
  try {
    return await runOn(volume, options);
  } finally {
    volume?.unmount();
  }
}

function mountVolume({ minutes }) {
  try {
    return Volume.mount(minutes);
  } catch (error) {
    progress.line(`torture: the full disk is simulated: ${error.message}`);
    return null;
  }
}

async function runOn(volume, options) {
  const postgres = await Postgres.start(volume?.folder);
  const world = new World(postgres, {}, progress);
  let isGood = false;
  try {
    const result = await Promise.race([torture(world, postgres, volume, options), world.broken, interrupted]);
    isGood = !verdict(result.facts).some(isBroken);
    return result;
  } finally {
    progress.end();
    volume?.free(); // the run may have been stopped while it was full
    if (!isGood) keepEvidence(postgres);
    await world.close().catch(() => undefined); // PostgreSQL may be away at this moment
    await postgres.stop();
  }
}

function operations({ ledger, calls, occurrences, deliveries }) {
  const answers = [...calls.values()].flat();
  return [
    ['triggers accepted (201)', ledger.accepted.size],
    ['triggers sent again with their key', ledger.resent],
    ['requests answered with 503', ledger.refused],
    ['requests without an answer', ledger.unanswered],
    ['cancels answered', ledger.canceled.size],
    ['retries by hand', ledger.retried],
    ['occurrences', occurrences.size],
    ['deliveries', deliveries.length],
    ['messages accepted by the provider', answers.filter(([, answer]) => answer === 'taken').length],
    ['calls that the provider failed', answers.filter(([, answer]) => answer !== 'taken').length],
  ];
}

function report(options, { facts, processes }) {
  const { ledger, faults } = facts;
  const figures = verdict(facts);
  const kills = faults.filter(({ kind }) => kind === 'kill').length;
  const title = `${kills} kills and ${faults.length - kills} other faults in ${options.minutes} minutes, seed ${options.seed}`;
  const text = `${title}\n\n${tables(facts, figures, operations(facts), STEADY)}`;
  console.log(`${text}\n`);
  console.log(`A process was ready ${processes.startSeconds().toFixed(1)} s after its start (median).`);
  if (ledger.leftOut > 0)
    console.log(
      `${ledger.leftOut} triggers were left out: more than ${MOST_WAITING} messages were waiting, or no process ran.`,
    );
  if (processes.failedStarts > 0) console.log(`${processes.failedStarts} starts failed, without PostgreSQL.`);
  for (const [what, count] of Object.entries(ledger.unexpected)) console.log(`${count} times ${what}`);
  for (const words of processes.deserters) console.log(`ended by itself: ${words}`);
  const broken = figures.filter(isBroken);
  if (options.write && broken.length === 0) writeTables(options.write, text);
  console.log(broken.length === 0 ? 'Nothing was lost.' : `FAILED: ${broken.map(({ what }) => what).join('; ')}`);
  console.log(`\n${figures.length - broken.length} passed, ${broken.length} failed`);
  return broken.length === 0 ? 0 : 1;
}

try {
  const options = readOptions(process.argv.slice(2));
  process.exit(report(options, await run(options)));
} catch (error) {
  console.error(error instanceof UsageError ? error.message : `torture: ${error.message}`);
  process.exit(error instanceof UsageError ? 2 : 1);
}
