import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { TestApp } from '../support/app/app.js';
import { useApp, useSink } from '../support/app/use.js';
import { isLong, sized } from '../support/long.js';
import { HttpSink } from '../support/sinks/http-sink.js';
import { SWITCHES, at, firstMessages, newWorld, step } from './life.js';
import type { Answer, Command, Delivery, World } from './life.js';
import { RealWorld } from './service.js';
import { STOP_TIME } from './time.js';
import { lineOf, placeOf } from './view.js';

/** How many sequences, and from which seed: `MODEL_RUNS=500 MODEL_SEED=7 npm test -- test/model`. */
const RUNS = Number(process.env.MODEL_RUNS ?? sized(20, 300));
const SEED = process.env.MODEL_SEED === undefined ? (isLong ? undefined : 1) : Number(process.env.MODEL_SEED);

let app: TestApp;
let sink: HttpSink;
useApp({ ROLE: 'all' }, async (started) => {
  app = started;
  await app.pool.query(STOP_TIME);
});
useSink(
  () => HttpSink.start(),
  (started) => (sink = started),
);

const oneOf = <const Values extends unknown[]>(...values: Values): fc.Arbitrary<Values[number]> =>
  fc.constantFrom(...values);
const days = fc.option(fc.integer({ min: 1, max: 2 }), { nil: undefined });
const occurrence = fc.nat({ max: 2 });
const delivery = fc.nat({ max: 4 });
const answer = oneOf('ok', 'later', 'never');
const answers = fc.record({
  hook: fc.record({ ann: answer, bob: answer }),
  spare: fc.record({ ann: answer, bob: answer }),
});
const meanwhile = oneOf('cancel', 'cancel', 'event', 'Tell', 'hook', 'spare');
const given = <Name extends Command['do']>(name: Name) => fc.constant(name);

const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: given('trigger') }) },
  { weight: 2, arbitrary: fc.record({ do: given('trigger'), meanwhile }) },
  { weight: 2, arbitrary: fc.record({ do: given('trigger'), sendIn: days, expiresIn: days }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: oneOf('cancel', 'retry', 'retry', 'retry, cancel', 'replay', 'approve'),
      occurrence,
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: given('retry one'), occurrence, delivery }) },
  { weight: 3, arbitrary: fc.record({ do: given('switch'), what: oneOf(...SWITCHES), on: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: given('ceiling'), people: oneOf(1, null) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: given('answer'),
      channel: oneOf('hook', 'spare'),
      person: oneOf('ann', 'bob'),
      answer,
    }),
  },
  { weight: 3, arbitrary: given('a day passes').map((name) => ({ do: name })) },
);

const both = (ann: Answer, bob: Answer): World['answers'] => ({ hook: { ann, bob }, spare: { ann, bob } });

/** Tried first, whatever the seed: what random sequences meet too seldom. */
const EXAMPLES: [World['answers'], Command[]][] = [
  // A message fails after it was canceled in flight: it is not tried again, and its fallback is not sent.
  [both('later', 'never'), [{ do: 'trigger', meanwhile: 'cancel' }]],
  // A retry of messages that died over both channels.
  [both('never', 'never'), [{ do: 'trigger' }, { do: 'retry', occurrence: 0 }]],
  // What is dead stays dead after a cancel.
  [both('later', 'never'), [{ do: 'trigger' }, { do: 'retry, cancel', occurrence: 0 }]],
  [both('later', 'never'), [{ do: 'trigger' }, { do: 'cancel', occurrence: 0 }, { do: 'retry', occurrence: 0 }]],
  // A message expires while it waits for its next attempt, and while its channel is off.
  [both('later', 'ok'), [{ do: 'trigger', expiresIn: 1 }, { do: 'a day passes' }]],
  [
    both('ok', 'ok'),
    [
      { do: 'switch', what: 'Tell', on: false },
      { do: 'trigger', expiresIn: 2 },
      { do: 'switch', what: 'hook', on: false },
      { do: 'switch', what: 'Tell', on: true },
      { do: 'trigger', expiresIn: 1 },
      { do: 'a day passes' },
      { do: 'switch', what: 'hook', on: true },
    ],
  ],
];

/** More than three open occurrences could fail ten times in a row, which opens the circuit of a channel: the model has none. */
const MAX_OPEN = 3;
const isOpen = ({ status, deliveries }: World['occurrences'][number]) =>
  ['pending', 'held'].includes(status) || deliveries.some((delivery) => delivery.status === 'pending');
const makesOccurrence = (command: Command) => command.do === 'trigger' || command.do === 'replay';

const nameOf = ({ rule, channel, person }: Delivery) => placeOf({ notification: rule, channel, user: person });

const viewOf = (world: World) =>
  world.occurrences.map(({ status, deliveries }) => {
    const pending = deliveries.filter((delivery) => delivery.status === 'pending').length;
    const isExpanded = status === 'expanded' || status === 'canceled';
    const shown = deliveries.map((delivery) =>
      lineOf({
        ...delivery,
        place: nameOf(delivery),
        calls: delivery.attempts.length,
        fallbackOf: delivery.fallbackOf && nameOf(delivery.fallbackOf),
      }),
    );
    return {
      status,
      done: isExpanded && pending === 0,
      total: deliveries.length,
      pending,
      deliveries: shown.sort(),
    };
  });

/** The delivery that a command is about, as both worlds name it. */
function placeIn(world: World, command: Command): string {
  if (command.do !== 'retry one') return '';
  const delivery = at(at(world.occurrences, command.occurrence)?.deliveries ?? [], command.delivery);
  return delivery ? nameOf(delivery) : '';
}

/** How many messages of a trigger will be at the provider when something else happens. */
function inFlight(world: World, command: Command): number {
  if (command.do !== 'trigger' || command.meanwhile === undefined) return 0;
  const copy = structuredClone(world);
  step(copy, { do: 'trigger', sendIn: 1000 });
  const made = copy.occurrences.at(-1)!;
  made.sendIn = 0;
  return firstMessages(copy, made).length;
}

const TIMEOUT_MS = 3_600_000;

it(
  'agrees with the model, whatever happens in whatever order',
  async () => {
    const property = fc.asyncProperty(
      answers,
      fc.array(command, { minLength: 1, maxLength: 25, size: 'max' }),
      async (first, sequence) => {
        const model = newWorld(first);
        const real = await RealWorld.create(app, sink, first);
        for (const [i, command] of sequence.entries()) {
          if (makesOccurrence(command) && model.occurrences.filter(isOpen).length >= MAX_OPEN) continue;
          const [place, flying] = [placeIn(model, command), inFlight(model, command)];
          const expected = step(model, command);
          const reply = await real.step(command, place, flying);
          const seen = { after: i + 1, reply, occurrences: await real.look() };
          expect(seen).toEqual({ after: i + 1, reply: expected, occurrences: viewOf(model) });
        }
      },
    );
    await fc.assert(property, { seed: SEED, numRuns: RUNS, examples: EXAMPLES, unbiased: true });
  },
  TIMEOUT_MS,
);
