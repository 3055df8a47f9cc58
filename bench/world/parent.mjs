// The other end of `part.mjs`: how a sink or a floor talks to the benchmark that started it.

/** What the benchmark has this part do, as it was given at the start. */
export const options = JSON.parse(process.argv[2] ?? '{}');

/**
 * Says that the part is ready, and answers what it is asked from then on.
 * @param {Record<string, (argument: any) => unknown>} answers
 * @param {object} facts what the benchmark should know, such as the port
 */
export function answerParent(answers, facts = {}) {
  process.on('SIGINT', () => undefined); // Ctrl-C reaches everyone at once; the benchmark says when we end
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
