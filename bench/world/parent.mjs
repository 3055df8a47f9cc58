// The other end of `part.mjs`: how a sink or a floor talks to the benchmark that started it.

/** The options that the benchmark passed at the start. */
export const options = JSON.parse(process.argv[2] ?? '{}');

/**
 * Tells the benchmark that the part is ready, and answers its questions from then on.
 * @param {Record<string, (argument: any) => unknown>} answers
 * @param {object} facts facts for the benchmark, such as the port
 */
export function answerParent(answers, facts = {}) {
  process.on('SIGINT', () => undefined); // Ctrl-C reaches all processes at once, but the benchmark decides when this one ends
  process.on('disconnect', () => process.exit());
  process.on('message', async ({ id, question, argument }) => {
    try {
      process.send({ id, answer: await answers[question](argument) });
    } catch (error) {
      process.send({ id, problem: error.message });
    }
  });
  process.send({ facts });
}
