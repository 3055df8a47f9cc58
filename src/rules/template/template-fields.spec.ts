import { describe, expect, it } from '@jest/globals';
import type { Json, TemplateParts } from './template.js';
import { fieldsOfUses, lackingInContext, usesInTemplate } from './template-fields.js';

/** The fields that a text uses, such as `order.total`. Optional fields end with a question mark. */
function named(text: string): string[] {
  const lines: string[] = [];
  const list = (field: ReturnType<typeof fieldsOfUses>, at: string): void => {
    for (const [name, child] of field!.fields) {
      const path = at ? `${at}.${name}` : name;
      if (child.users.length > 0) lines.push(child.needed ? path : `${path}?`);
      list(child, path);
    }
    if (field!.items) {
      if (field!.items.users.length > 0) lines.push(`${at}[]`);
      list(field!.items, `${at}[]`);
    }
  };
  list(fieldsOfUses(usesInTemplate({ text })), '');
  return lines.sort();
}

describe('fields that a template uses', () => {
  it.each<[text: string, names: string[]]>([
    ['Hi {{ user.first_name }}, {{ order.total | times: rate }}', ['order.total', 'rate', 'user.first_name']],
    ['{{ order["number of"] }} {{ ["a b"].c }}', ['a b.c', 'order.number of']],
    ['{% raw %}{{ a }}{% endraw %}{% comment %}{{ b }}{% endcomment %}{{ "c" }}{{ 1 }}{{ "x".size }}', []],
    ['{% echo a %}{% liquid\n echo b\n echo c %}', ['a', 'b', 'c']],
    ['{{ a[b].c }} {{ a.x }}', ['a', 'a.x', 'b']],
    ['{{ name.first }} {{ items.size }}', ['items', 'name']],
    ['{{ items[0].name }}', ['items[].name?']],
    ['{% cycle a, b %}', ['a', 'b']],
    ['{% increment n %}{{ n }}', []],
  ])('%s', (text, names) => {
    expect(named(text)).toEqual(names);
  });
});

describe('optional fields', () => {
  it.each<[text: string, names: string[]]>([
    ['{{ a | default: b }} {{ c | upcase | default: "x" | append: d }}', ['a?', 'b?', 'c?', 'd']],
    ['{% if a %}{{ b }}{% endif %}', ['a?', 'b?']],
    ['{% if a %}{{ a }}{% endif %} {{ c }}', ['a?', 'c']],
    ['{% if a > b and c %}{% elsif d contains "x" %}{% endif %}', ['a?', 'b?', 'c?', 'd?']],
    ['{% if vip %}Dear {{ name }}{% else %}Hi {{ name }}{% endif %}', ['name', 'vip?']],
    ['{% if vip %}Dear {{ name }}{% elsif x %}-{% else %}Hi {{ name }}{% endif %}', ['name?', 'vip?', 'x?']],
    ['{% unless a %}{{ b }}{% endunless %}', ['a?', 'b?']],
    [
      '{% case a %}{% when b %}{{ c }}{% when 2 %}{{ c }}{% else %}{{ c }}{{ d }}{% endcase %}',
      ['a?', 'b?', 'c', 'd?'],
    ],
    ['{{ a or b }} {{ a == 1 }}', ['a?', 'b?']],
    ['{{ a }}{% if a %}{% endif %}{{ a | default: 1 }}', ['a']],
  ])('%s', (text, names) => {
    expect(named(text)).toEqual(names);
  });
});

describe('fields in loops', () => {
  it.each<[text: string, names: string[]]>([
    [
      '{% for i in items %}{{ i.name }} {{ i.note | default: "-" }}{% endfor %}',
      ['items', 'items[].name', 'items[].note?'],
    ],
    ['{% for i in order.lines %}{{ i }}{{ forloop.index }}{% endfor %}', ['order.lines', 'order.lines[]']],
    // An empty list needs nothing else of the loop.
    ['{% for i in items %}{{ currency }}{% endfor %}', ['currency?', 'items']],
    ['{% for i in items %}{{ i.name }}{% else %}{{ none }}{% endfor %}', ['items?', 'items[].name', 'none?']],
    ['{% if a %}{% for i in items %}{{ i.name }}{% endfor %}{% endif %}', ['a?', 'items?', 'items[].name?']],
    [
      '{% for i in items %}{% if i.a %}{{ i.b }}{% endif %}{{ i.c }}{% endfor %}',
      ['items', 'items[].a?', 'items[].b?', 'items[].c'],
    ],
    [
      '{% for o in orders %}{% for l in o.lines %}{{ l.sku }}{{ o.id }}{% endfor %}{% endfor %}',
      ['orders', 'orders[].id?', 'orders[].lines', 'orders[].lines[].sku'],
    ],
    ['{% for a in xs %}{% for b in ys %}{{ b.n }}{% endfor %}{% endfor %}', ['xs', 'ys?', 'ys[].n?']],
    ['{% for i in items limit: max offset: continue %}{{ i.name }}{% endfor %}', ['items', 'items[].name?', 'max']],
    [
      '{% for i in items %}{{ i.a }}{% if i.b %}{% break %}{% endif %}{{ i.c }}{% endfor %}',
      ['items', 'items[].a?', 'items[].b?', 'items[].c?'],
    ],
    [
      '{% for i in items %}{{ i.a }}{% if i.b %}{% continue %}{% endif %}{{ i.c }}{% endfor %}{{ d }}',
      ['d', 'items', 'items[].a', 'items[].b?', 'items[].c?'],
    ],
    ['{% for i in (1..count) %}{{ i }}{% endfor %}', ['count']],
    ['{% for p in prices %}{{ p[0] }}{{ p[1].net }}{% endfor %}', ['prices', 'prices[][]', 'prices[][].net?']],
    ['{% tablerow i in items cols: 2 %}{{ i.name }}{{ tablerowloop.col }}{% endtablerow %}', ['items', 'items[].name']],
    ['{% for i in items %}{{ i.x }}{% endfor %}{{ i.x }}', ['i.x', 'items', 'items[].x']],
  ])('%s', (text, names) => {
    expect(named(text)).toEqual([...names].sort());
  });
});

describe('names that the template defines', () => {
  it.each<[text: string, names: string[]]>([
    ['{% assign t = order.total %}{{ t }}', ['order.total']],
    ['{% assign t = order.total %}{% if t %}{% endif %}', ['order.total?']],
    ['{% assign t = order %}{{ t.total }}', ['order', 'order.total']],
    ['{% assign t = a | times: b %}{{ t | plus: 1 }}', ['a', 'b']],
    ['{% assign t = a | times: b %}{{ t | default: 1 }}', ['a?', 'b?']],
    ['{% assign t = a %}', ['a?']],
    ['{% capture t %}{{ a }}{{ b | default: 1 }}{% endcapture %}{{ t }}', ['a', 'b?']],
    ['{% capture t %}{{ a }}{% endcapture %}', ['a?']],
    ['{{ a }}{% assign a = 1 %}{{ a.b }}', ['a']],
    ['{% unless name %}{% assign name = "you" %}{% endunless %}{{ name }}', ['name?']],
    ['{% if de %}{% assign hi = "Hallo" %}{% else %}{% assign hi = "Hi" %}{% endif %}{{ hi }}', ['de?']],
    [
      '{% assign sum = 0 %}{% for i in items %}{% assign sum = sum | plus: i.price %}{% endfor %}{{ sum }}',
      ['items', 'items[].price?'],
    ],
    ['{% assign s = items | sort: "price" %}{% for i in s %}{{ i.price }}{% endfor %}', ['items', 'items[].price']],
    ['{% assign s = items | where: "open" %}{% for i in s %}{{ i.price }}{% endfor %}', ['items', 'items[].price?']],
    ['{% assign s = csv | split: "," %}{% for i in s %}{{ i }}{% endfor %}', ['csv']],
  ])('%s', (text, names) => {
    expect(named(text)).toEqual(names);
  });
});

function lacking(parts: TemplateParts, context: Json, digest: object | null = null, more: object = {}) {
  const named = { slug: 'x' };
  const reserved = { event: named, application: named, project: named, organization: named, channel: named };
  const user = { first_name: 'Ann', custom_fields: {} };
  return lackingInContext(fieldsOfUses(usesInTemplate(parts))!, {
    context,
    user,
    occurrence: { id: '1' },
    digest,
    ...reserved,
    ...more,
  });
}

describe('missing fields of a context', () => {
  it('are no fields of files, which a trigger need not attach', () => {
    const text =
      '{% for file in occurrence.attachments %}{{ file.url }}{% endfor %}{{ occurrence.attachments.first.url }}';
    expect(lacking({ text: `${text}{{ total }}` }, {})).toEqual({ needed: ['total'], optional: [], links: [] });
  });

  it('are no fields of a digest, unless the message is one', () => {
    const parts = { text: '{{ digest.count }}{% for item in digest.items %}{{ item.title }}{% endfor %}{{ total }}' };
    expect(lacking(parts, {}).needed).toEqual(['total']);
    expect(lacking(parts, {}, { count: 1, items: [{}] }).needed).toEqual(['digest.items[0].title', 'total']);
  });

  it('are no links, which no context can fill in: they are named with the reason', () => {
    const parts = { text: '{{ acknowledge_url }}{{ unsubscribe_url | default: "" }}{{ total }}' };
    const found = (more: object) => lacking(parts, { acknowledge_url: 'x' }, null, more);
    const links = ['the link acknowledge_url is empty: PUBLIC_URL of the service is not set'];
    expect(found({ acknowledge_url: undefined })).toEqual({ needed: ['total'], optional: [], links });
    const known = { acknowledge_url: undefined, preferences_url: 'https://notify.test/u/x/preferences' };
    expect(found(known).links).toEqual(['the link acknowledge_url is empty: no step waits until it is acknowledged']);
    expect(found({ ...known, user: null }).links).toEqual([
      'the link acknowledge_url is empty: a post to a room has no links',
    ]);
    expect(found({ acknowledge_url: 'https://notify.test/a/x' }).links).toEqual([]);
  });

  it('are listed by path, needed and optional ones apart', () => {
    const parts = {
      subject: '{{ order.number }} {{ total }}',
      text: '{{ user.first_name }} {{ user.custom_fields.team }} {{ event.slug }} {{ note | default: "" }}',
    };
    expect(lacking(parts, { order: { number: 1 } })).toEqual({
      needed: ['total', 'user.custom_fields.team'],
      optional: ['note'],
      links: [],
    });
    expect(lacking(parts, {}).needed).toEqual(['order.number', 'total', 'user.custom_fields.team']);
  });

  it('include fields that are null or inside a value without fields', () => {
    expect(lacking({ text: '{{ a }}{{ b.c }}{{ d }}' }, { a: null, b: 'text', d: false }).needed).toEqual(['a', 'b.c']);
  });

  it('are searched in every item', () => {
    const parts = { text: '{% for i in items %}{{ i.name }}{% endfor %}' };
    expect(lacking(parts, { items: [{ name: 'a' }, {}, null] }).needed).toEqual(['items[1].name', 'items[2].name']);
    expect(lacking(parts, { items: [] }).needed).toEqual([]);
    expect(lacking(parts, {}).needed).toEqual(['items']);
  });

  it('include names that every object inherits', () => {
    expect(lacking({ text: '{{ constructor }}{{ a.toString }}' }, { a: {} }).needed).toEqual([
      'constructor',
      'a.toString',
    ]);
  });

  it('are searched for a limited time, and the first hundred are listed', () => {
    const names = Array.from({ length: 1_000 }, (_, i) => `{{ i.n${i} }}`).join('');
    const parts = { text: `{% for i in items %}${names}{% endfor %}` };
    expect(lacking(parts, { items: Array(50_000).fill(0) }).needed).toHaveLength(100);
  });
});

describe('a template with very many names', () => {
  const many = (count: number) => Array.from({ length: count }, (_, i) => `n${i}`);

  it('is analysed at any size that somebody may write', () => {
    expect(fieldsOfUses(usesInTemplate({ text: '{{ name }} '.repeat(2_000) }))?.fields.size).toBe(1);
    expect(
      fieldsOfUses(usesInTemplate({ text: `{% if ${many(10_000).join(' or ')} %}{% endif %}` }))?.fields.size,
    ).toBe(10_000);
  });

  it.each([
    ['names made of many', `{% assign x = 1 | append: ${many(6_000).join(' | append: ')} %}${'{{ x }}'.repeat(1_900)}`],
    [
      'very deep conditions',
      `${'{% if a %}'.repeat(300)}${many(900)
        .map((n) => `{{${n}}}`)
        .join('')}${'{% endif %}'.repeat(300)}`,
    ],
    [
      'many names in many branches',
      many(600)
        .map((n) => `{% assign ${n} = 1 %}{% if a %}{% endif %}`)
        .join(''),
    ],
    ['loops within loops', `${'{% for a in b %}'.repeat(300)}${'{% endfor %}'.repeat(300)}`],
  ])('is not analysed: %s', (_, text) => {
    // CPU time, not wall-clock time: the test machine may be busy.
    const start = process.cpuUsage().user;
    expect(fieldsOfUses(usesInTemplate({ text }))).toBeNull();
    expect(process.cpuUsage().user - start).toBeLessThan(1_000_000);
  });

  it('may have a path deeper than any context', () => {
    expect(fieldsOfUses(usesInTemplate({ text: `{{ ${Array(500).fill('a').join('.')} }}` }))?.fields.size).toBe(0);
  });
});
