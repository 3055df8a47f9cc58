import { describe, expect, it } from '@jest/globals';
import { builtInProvider, builtInTypes } from './built-in.js';
import { runExamples, runTestExamples } from './example/run-examples.js';
import { sampleConfig } from './example/sample.js';
import type { Example } from './provider.js';
import { problemWithSettings } from './provider-sender.js';

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
    const secretsOf = (example: Pick<Example, 'settings'>) => {
      const config = sampleConfig(provider, example);
      return provider.fields.filter(({ key, secret }) => secret && key in config).map(({ key }) => String(config[key]));
    };
    const quoting = <Quoted extends Pick<Example, 'settings' | 'answer'>>(example: Quoted): Quoted => ({
      ...example,
      answer: { ...example.answer, text: `${secretsOf(example).join(' ')} ${example.answer.text}` },
    });
    const test = provider.test && { ...provider.test, examples: provider.test.examples.map(quoting) };
    const quoted = { ...provider, examples: provider.examples.map(quoting), test };
    const answers = [
      ...(await runExamples(quoted)).map(({ example, outcome }) => [example, outcome.answer] as const),
      ...(await runTestExamples(quoted)).map(({ example, check }) => [example, check.answer] as const),
    ];
    for (const [example, answer] of answers)
      for (const secret of secretsOf(example)) expect(answer).not.toContain(secret);
  });
});

it.each([
  ['plivo', { from: null }, 'needs a sender or a Powerpack'],
  ['plivo', { powerpack_uuid: 'x' }, 'must have either a sender or a Powerpack'],
  ['plivo', {}, null],
])('the provider file %s with %j refuses: %s', (type, settings, problem) => {
  const provider = builtInProvider(type);
  const config = sampleConfig(provider, { settings: settings as unknown as Example['settings'] });
  expect(problemWithSettings(provider, config)?.because ?? null).toBe(problem);
});
