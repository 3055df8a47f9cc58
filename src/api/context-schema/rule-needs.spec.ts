import { expect, it } from '@jest/globals';
import { lackingFor, needsOf } from './rule-needs.js';

const rule = { id: 1, name: 'Tell', enabled: true, when: null, audience: null, lists: [] };

it('takes the fields of the items of a digest from the context, and the digest itself from nobody', async () => {
  const text = `{{ digest.count }} {{ digest.more }} {{ digest.first_at }} {{ digest.items.size }}
    {% for a in digest.items %}{{ a.order.title }} {{ a.note | default: "" }}{% endfor %}
    {% assign open = digest.items | where: "open" %}{% for a in open %}{{ a.since }}{% endfor %}`;
  const [needs] = await needsOf([{ ...rule, templates: [{ channel: 1, parts: { text } }] }]);
  expect(needs!.uses.map(({ use }) => [use.path.join('.'), use.needed])).toEqual([
    ['order.title', true],
    ['note', false],
    ['since', false],
  ]);
  expect(lackingFor(needs!, { order: {} })).toEqual(['order.title']);
  expect(lackingFor(needs!, { order: { title: 'x' } })).toEqual([]);
});

it('gives other work a turn before each part of each language', async () => {
  const translations = Object.fromEntries(
    ['de', 'fr', 'it'].map((tag) => [tag, { subject: '{{ a }}', text: '{{ b }}' }]),
  );
  const parts = { subject: '{{ a }}', text: '{{ b }}', translations };
  let [turns, isDone] = [0, false];
  const count = () => {
    turns++;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  const [needs] = await needsOf([{ ...rule, templates: [{ channel: 1, parts }] }]);
  isDone = true;
  expect(needs!.uses).toHaveLength(8);
  expect(turns).toBeGreaterThanOrEqual(8);
});
