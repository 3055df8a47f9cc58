import { afterAll, expect, it } from '@jest/globals';
import { Renderer } from '../../src/rules/render/renderer.js';
import { templateKey } from '../../src/rules/template/template.js';
import type { Json, RenderContext, TemplateParts } from '../../src/rules/template/template.js';

// By the clock, on a quiet machine: what `npm run check` leaves to this run.

const renderer = new Renderer();
afterAll(() => renderer.close());

const source = (parts: TemplateParts) => ({ key: templateKey(parts), parts });

const shared = { event: {}, application: {}, project: {}, organization: {}, occurrence: {}, channel: {} };
const people = (count: number, context: Json): RenderContext[] =>
  Array.from({ length: count }, (_, index) => ({ context, user: { first_name: `n${index}` }, ...shared }));

/** The longest time that our own event loop stood still while `work` ran. */
async function longestPause(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = performance.now();
  const look = () => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  };
  const timer = setInterval(look, 5);
  await work();
  look();
  clearInterval(timer);
  return longest;
}

async function perSecond(parts: TemplateParts, contexts: RenderContext[]): Promise<number> {
  const start = performance.now();
  await renderer.render(source(parts), contexts);
  return (contexts.length * 1000) / (performance.now() - start);
}

it('a plain template renders tens of thousands of messages a second, and our own process goes on meanwhile', async () => {
  const plain = { subject: 'Order {{ order }}', text: 'Hi {{ user.first_name }}, {{ total }} EUR.' };
  const contexts = people(20_000, { order: 7, total: 12.5 });
  await renderer.render(source(plain), contexts);
  let rate = 0;
  const pause = await longestPause(async () => (rate = await perSecond(plain, contexts)));
  const list = { list: Array.from({ length: 20 }, (_, index) => index) };
  const loop = { text: '{% for x in list %}{{ x }} {{ user.first_name }}\n{% endfor %}' };
  const looped = await perSecond(loop, people(2_000, list));
  const markdown = { subject: 'a', markdown: '# Hi {{ user.first_name }}\n\nYou **must** pay {{ order }}.\n' };
  const marked = await perSecond(markdown, people(2_000, list));
  process.stdout.write(
    `plain: ${Math.round(rate)} messages/s (subject and text), longest pause ${pause.toFixed(0)} ms; ` +
      `with a loop of 20: ${Math.round(looped)}/s; Markdown: ${Math.round(marked)}/s\n`,
  );
  expect(rate).toBeGreaterThan(5_000);
  expect(pause).toBeLessThan(400);
});
