import { describe, expect, it } from '@jest/globals';
import { builtInProvider, builtInTypes } from './built-in.js';
import { runExamples, runTestExamples } from './example/run-examples.js';

describe.each(builtInTypes())('the provider file %s', (type) => {
  it('sends what its examples say, and reads each answer as they say', async () => {
    const provider = builtInProvider(type);
    const results = [...(await runExamples(provider)), ...(await runTestExamples(provider))];
    const wrong = results.flatMap(({ example, problems }) => problems.map((each) => `${example.name}: ${each}`));
    expect(wrong).toEqual([]);
  });

  it('names the page of its facts, and the day they were checked', () => {
    const { documentation, examples, test } = builtInProvider(type);
    expect(documentation).toMatch(/^https:\/\//);
    if (test) expect([test.documentation, test.examples.length > 0]).toEqual([expect.stringMatching(/^https:/), true]);
    expect([...examples, ...(test?.examples ?? [])].every(({ name }) => name !== '')).toBe(true);
  });

  it('shows no secret in an answer that quotes all of them', async () => {
    const provider = builtInProvider(type);
    const secrets = provider.fields
      .filter(({ key, secret }) => secret && provider.samples[key] !== undefined)
      .map(({ key }) => String(provider.samples[key]));
    const quoting = <Quoted extends { answer: { text: string } }>(example: Quoted): Quoted => ({
      ...example,
      answer: { ...example.answer, text: `${secrets.join(' ')} ${example.answer.text}` },
    });
    const test = provider.test && { ...provider.test, examples: provider.test.examples.map(quoting) };
    const quoted = { ...provider, examples: provider.examples.map(quoting), test };
    const sent = (await runExamples(quoted)).map(({ outcome }) => outcome.answer);
    const checked = (await runTestExamples(quoted)).map(({ check }) => check.answer);
    for (const answer of [...sent, ...checked]) for (const secret of secrets) expect(answer).not.toContain(secret);
  });
});
