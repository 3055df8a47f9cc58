import { describe, expect, it } from '@jest/globals';
import { checkTemplate, compileTemplate, renderTemplate } from './template.js';
import type { Json, RenderContext, RenderedMessage, TemplateParts } from './template.js';

const LIMITS = { work: 1_000_000 };

function knows(context: Json, user: Json = { first_name: 'Ann' }): RenderContext {
  const named = (slug: string): Json => ({ slug });
  return {
    context,
    user,
    event: named('order-paid'),
    application: named('web'),
    project: named('shop'),
    organization: named('acme'),
    occurrence: { id: '1' },
    channel: named('mail'),
  };
}

const render = (parts: TemplateParts, context: Json = {}): RenderedMessage =>
  renderTemplate(compileTemplate(parts), knows(context), LIMITS);

describe('the output of a template', () => {
  it('fills in the context and the user', () => {
    const parts = { subject: 'Order {{ order }} paid', text: 'Hi {{ user.first_name }}, {{ total }} EUR.' };
    expect(render(parts, { order: 7, total: 12.5 })).toEqual({
      subject: 'Order 7 paid',
      text: 'Hi Ann, 12.5 EUR.',
      html: '',
    });
  });

  it('escapes values in HTML and nowhere else', () => {
    const context = { name: `<b>"Tom" & 'Co'</b>` };
    const message = render({ subject: '{{ name }}', text: '{{ name }}', html: '<i>{{ name }}</i>' }, context);
    expect(message.subject).toBe(context.name);
    expect(message.text).toBe(context.name);
    expect(message.html).toBe('<i>&lt;b&gt;&quot;Tom&quot; &amp; &#39;Co&#39;&lt;/b&gt;</i>');
  });

  it('escapes once where the author escapes, and not at all with raw', () => {
    const html = '{{ a | escape }} {{ a | escape_once }} {{ b | escape_once }} {{ a | raw }} {% echo a %}';
    expect(render({ text: 'x', html }, { a: '<', b: '&lt;' }).html).toBe('&lt; &lt; &lt; < &lt;');
  });

  it('keeps a subject on one line of 998 characters', () => {
    expect(render({ subject: ' a\r\nBcc: {{ who }}\t\u2028 b ' }, { who: 'x\r\ny' }).subject).toBe('a Bcc: x y b');
    expect(render({ subject: '{{ long }}' }, { long: 'ä'.repeat(2_000) }).subject).toHaveLength(998);
    expect(render({ subject: '{{ long }}' }, { long: `a${'😀'.repeat(600)}` }).subject).toHaveLength(997);
  });

  it('renders unknown names as nothing', () => {
    expect(render({ text: '[{{ nothing.at.all }}]' }).text).toBe('[]');
  });

  it('writes objects as JSON and dates in UTC', () => {
    const parts = { text: '{{ o }} {{ at | date: "%Y-%m-%d %H:%M" }} {{ list }}' };
    expect(render(parts, { o: { a: 1 }, at: '2026-11-15T23:30:00-02:00', list: [1, 2] }).text).toBe(
      '{"a":1} 2026-11-16 01:30 12',
    );
  });

  it('keeps reserved names when the context has the same names', () => {
    const context = { user: { first_name: 'Eve' }, event: { slug: 'x' }, channel: 1, organization: 2 };
    const text = '{{ user.first_name }} {{ event.slug }} {{ channel.slug }} {{ organization.slug }}';
    expect(render({ text }, context).text).toBe('Ann order-paid mail acme');
  });

  it('generates the text from the HTML when there is no text', () => {
    const html = '<h1>Hello</h1><p>Hi {{ user.first_name }}, <a href="https://a.test/1">open</a></p><img src="x">';
    expect(render({ html }).text).toBe('Hello\n\nHi Ann, open [https://a.test/1]');
  });

  it('counts from the start in every message', () => {
    const template = compileTemplate({ text: '{% increment n %}{% increment n %}' });
    const context = knows({ n: 1 });
    expect(renderTemplate(template, context, LIMITS).text).toBe('12');
    expect(renderTemplate(template, context, LIMITS).text).toBe('12');
  });
});

describe('Markdown', () => {
  it('becomes HTML and text', () => {
    const message = render({ markdown: '# Hi {{ user.first_name }}\n\nIt is **{{ total }}** EUR.' }, { total: 5 });
    expect(message.html).toBe('<h1>Hi Ann</h1>\n<p>It is <strong>5</strong> EUR.</p>\n');
    expect(message.text).toBe('Hi Ann\n\nIt is 5 EUR.');
  });

  it.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '[click](https://evil.test)',
    '![x](https://evil.test/pixel.png)',
    '[click](javascript:alert(1))',
    '<https://evil.test>',
    'https://evil.test www.evil.test eve@evil.test',
    '**bold** _it_ `code` ~~gone~~',
    '&lt;b&gt; &#60;b&#62;',
    '\\<b> \\[x](y)',
  ])('shows a value as plain text: %s', (value) => {
    const { html } = render({ markdown: 'Dear {{ value }}.' }, { value });
    expect(render({ markdown: 'Dear {{ value | escape }}.' }, { value }).html).toBe(html);
    const shown = value.replace(/[&<>"']/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[c] ?? c);
    expect(html).toBe(`<p>Dear ${shown}.</p>\n`);
  });

  it.each(['# heading', '- item', '1. item', '> quote', '```\ncode\n```', '---', 'a\n===', '|a|b|\n|-|-|\n|1|2|'])(
    'lets no value start a block: %s',
    (value) => {
      const { html } = render({ markdown: '{{ value }}' }, { value });
      expect(html.replace(/<\/?p>/g, '')).not.toMatch(/<[a-z]/);
    },
  );

  it('keeps only links with safe schemes', () => {
    const open = (url: string): string => render({ markdown: '[Open]({{ url }})' }, { url }).html;
    expect(open('https://a.test/x?a=1&b=(2)')).toBe('<p><a href="https://a.test/x?a=1&amp;b=(2)">Open</a></p>\n');
    expect(open('javascript:alert(1)')).toBe('<p>Open</p>\n');
    expect(open('JaVaScRiPt:alert(1)')).toBe('<p>Open</p>\n');
    expect(open('data:text/html,x')).toBe('<p>Open</p>\n');
    expect(open('x) [y](https://evil.test')).not.toContain('<a');
  });
});

describe('the check of a template', () => {
  it('accepts a valid template', () => {
    expect(
      checkTemplate({ subject: 'a', text: '{% for x in y %}{{ x }}{% endfor %}', html: '<p>{{ a }}</p>' }),
    ).toEqual({});
  });

  it.each([
    ['{{ a ', /not closed/],
    ['{% if a %}', /not closed/],
    ['{% nothing %}', /tag "nothing" not found/],
    ['{{ a | nothing }}', /undefined filter: nothing/],
    ['{% include "/etc/passwd" %}', /include tag is not available/],
    ['{% render x %}', /needs the name of a partial in quotes/],
    ['{% layout "x" %}', /layout tag is not available/],
    ['{% if a %}{% include x %}{% endif %}', /include tag is not available/],
    ['{% if a %}'.repeat(300), /not closed/],
    ['{{a}}'.repeat(2_001), /more than 2000 tags/],
    [`{% liquid\n${'echo a\n'.repeat(2_001)}%}`, /more than 2000 tags/],
    ['a'.repeat(131_073), /longer than/],
    [`{{ ${'a['.repeat(501)}b${']'.repeat(501)} }}`, /more than 500 brackets within each other/],
    [`{{ "}}" | append: ${'a['.repeat(501)}b${']'.repeat(501)} }}`, /more than 500 brackets within each other/],
    [`{{ ${`a[b["))"][`.repeat(400)} }}`, /more than 1000 brackets in one tag/],
    ['{% if a %}'.repeat(301), /more than 300 tags within each other/],
    ['{% for a in b %}{% case a %}{% when b %}{% unless a %}'.repeat(400), /more than 300 tags within each other/],
    [`{% ${'liquid '.repeat(301)}echo a %}`, /more than 300 tags within each other/],
  ])('%#', (text, problem) => {
    expect(checkTemplate({ text })).toEqual({ text: [expect.stringMatching(problem)] });
    expect(() => compileTemplate({ text })).toThrow(problem);
  });

  it.each([
    ['{% if a %}', '{% endif %}'],
    ['{% unless z %}', '{% endunless %}'],
    ['{% case a %}{% when 1 %}', '{% endcase %}'],
    ['{% for x in list %}', '{% endfor %}'],
    ['{% tablerow x in list %}', '{% endtablerow %}'],
    ['{% capture x %}', '{% endcapture %}{{ x }}'],
  ])('accepts %s within itself 300 times, and such a template is rendered', (open, close) => {
    const brackets = `{{ ${'list['.repeat(500)}0${']'.repeat(500)} }}`;
    const text = `${open.repeat(300)}${brackets}deep${close.repeat(300)}`;
    expect(checkTemplate({ text })).toEqual({});
    expect(render({ text }, { a: 1, list: [1] }).text).toContain('deep');
  });

  it('names the part, and refuses html together with markdown', () => {
    expect(Object.keys(checkTemplate({ subject: '{{', text: 'a', html: '{%' }))).toEqual(['subject', 'html']);
    expect(checkTemplate({ html: 'a', markdown: 'b' })).toEqual({ markdown: ['Give one of html, markdown, mjml.'] });
  });
});

describe('a template cannot reach', () => {
  it.each([
    '{{ __proto__ }}{{ constructor }}{{ toString }}{{ hasOwnProperty }}',
    '{{ user.__proto__ }}{{ user.constructor }}{{ user.constructor.constructor }}{{ user["constructor"] }}',
    '{{ name.constructor }}{{ name.__proto__ }}{{ list.constructor }}{{ list.push }}{{ list["constructor"].name }}',
    '{% assign p = "constructor" %}{{ user[p] }}{{ user[p][p] }}',
    '{% for x in user.__proto__ %}{{ x }}{% endfor %}{{ list | map: "constructor" }}',
    '{{ list | where: "__proto__" | join }}{{ process }}{{ globalThis }}{{ require }}',
  ])('inherited properties: %s', (text) => {
    expect(render({ text }, { name: 'n', list: ['a'] }).text).toBe('');
  });

  it('more through a `__proto__` in the context, which is an ordinary name', () => {
    const context = JSON.parse('{"__proto__": {"polluted": "yes"}, "a": 1}') as Json;
    expect(render({ text: '{{ polluted }}{{ __proto__.polluted }}{{ a }}' }, context).text).toBe('yes1');
    expect(({} as Json).polluted).toBeUndefined();
  });
});

describe('plain templates', () => {
  const plain = (text: string): boolean => compileTemplate({ text }).plain;

  it.each([
    'Hi {{ user.first_name | default: "there" | upcase }}',
    '{% if total > 100 and a contains "b" %}{{ total | times: 2 | round: 2 }}{% else %}-{% endif %}',
    '{% case x %}{% when "a", 1 %}{{ y | url_encode }}{% endcase %}{% raw %}{{ x }}{% endraw %}',
    '{% assign name = user.first_name | append: "!" %}{% comment %}a{% endcomment %}{{ at | date: "%d.%m.%Y" }}',
  ])('are rendered in our own process: %s', (text) => {
    expect(plain(text)).toBe(true);
  });

  it.each([
    '{% for x in list %}{{ x }}{% endfor %}',
    '{% tablerow x in list %}{{ x }}{% endtablerow %}',
    '{% capture a %}{{ a }}{{ a }}{% endcapture %}',
    '{% if a %}{% unless b %}{% for x in y %}{% endfor %}{% endunless %}{% endif %}',
    '{% case x %}{% when list %}{% endcase %}',
    '{{ (1..10) }}',
    '{{ a | default: (1..10) }}',
    '{{ list | sort }}',
    '{{ list | where_exp: "x", "x" }}',
    '{{ a | split: "" }}',
    '{{ at | date: format }}',
    `{{ at | date: "${'%c'.repeat(40)}" }}`,
    '{{ a | upcase | upcase | upcase | upcase | upcase | upcase | upcase | upcase | upcase }}',
    `{% if ${Array(20).fill('a').join(' or ')} %}{% endif %}`,
    '{% liquid\n for x in y\n echo x\n endfor %}',
  ])('do not include: %s', (text) => {
    expect(plain(text)).toBe(false);
  });

  it('do not include templates that need a conversion', () => {
    expect(compileTemplate({ markdown: 'a' }).plain).toBe(false);
    expect(compileTemplate({ html: 'a' }).plain).toBe(false);
    expect(compileTemplate({ html: 'a', text: 'a' }).plain).toBe(true);
  });
});

it('a text of spaces alone counts as none: the text comes from the HTML', () => {
  const template = compileTemplate({ text: ' \n', html: '<p>Hi</p>' });
  expect(template.parts.has('text')).toBe(false);
  expect(template.plain).toBe(false);
});
