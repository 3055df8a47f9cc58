import { describe, expect, it } from '@jest/globals';
import { builtInProvider, builtInTypes } from './built-in.js';
import { runExamples } from './example/run-examples.js';

describe.each(builtInTypes())('the provider file %s', (type) => {
  it('sends what its examples say, and reads each answer as they say', async () => {
    const results = await runExamples(builtInProvider(type));
    const wrong = results.flatMap(({ example, problems }) => problems.map((each) => `${example.name}: ${each}`));
    expect(wrong).toEqual([]);
  });

  it('names the page of its facts, and the day they were checked', () => {
    const { documentation, examples } = builtInProvider(type);
    expect(documentation).toMatch(/^https:\/\//);
    expect(examples.every(({ name }) => name !== '')).toBe(true);
  });

  it('shows no secret in an answer that quotes all of them', async () => {
    const provider = builtInProvider(type);
    const secrets = provider.fields
      .filter(({ key, secret }) => secret && provider.samples[key] !== undefined)
      .map(({ key }) => String(provider.samples[key]));
    const quoted = provider.examples.map((example) => ({
      ...example,
      answer: { ...example.answer, text: `${secrets.join(' ')} ${example.answer.text}` },
    }));
    const results = await runExamples({ ...provider, examples: quoted });
    for (const { outcome } of results) for (const secret of secrets) expect(outcome.answer).not.toContain(secret);
  });
});
