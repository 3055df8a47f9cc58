import { describe, expect, it } from '@jest/globals';
import { compileTemplate, renderTemplate, templateKey } from '../template.js';
import type { RenderContext, TemplateParts } from '../template.js';
import { inspectTemplate, usesInTemplate } from '../template-fields.js';
import { MarkdownHoles } from './markdown-holes.js';
import { textToHtml } from './text-to-html.js';

const NAMED = { slug: 'acme', name: 'Acme & Co' };
const contextOf = (context: Record<string, unknown> = {}): RenderContext => ({
  context,
  user: { first_name: '<b>Ann</b>' },
  region: { locale: 'ar', timeZone: 'UTC' },
  ...{ event: NAMED, application: NAMED, project: NAMED, organization: NAMED, occurrence: {}, channel: NAMED },
  unsubscribe_url: 'https://acme.test/u?a=1&b=2',
});
const render = (parts: TemplateParts, context?: Record<string, unknown>, work = 20_000_000) =>
  renderTemplate(compileTemplate(parts), contextOf(context), { work });

describe('a layout', () => {
  const layout = { html: '<main>{{ content }}</main>', text: '# {{ content }} #' };

  it('surrounds HTML and text, and escapes neither twice', () => {
    const { html, text } = render({ html: '<p>{{ a }}</p>', text: '{{ a }}', shared: { layout } }, { a: '1 < 2' });
    expect([html, text]).toEqual(['<main><p>1 &lt; 2</p></main>', '# 1 < 2 #']);
  });

  it('makes HTML of Markdown, and of a text without HTML', () => {
    expect(render({ markdown: '**{{ a }}**', shared: { layout } }, { a: '<i>' }).html).toBe(
      '<main><p><strong>&lt;i&gt;</strong></p>\n</main>',
    );
    expect(render({ text: 'Hi {{ a }}\nyou\n\nBye', shared: { layout } }, { a: '<i>' })).toMatchObject({
      html: '<main><p>Hi &lt;i&gt;<br>\nyou</p>\n<p>Bye</p></main>',
      text: '# Hi <i>\nyou\n\nBye #',
    });
  });

  it('leaves a part alone that it does not have', () => {
    expect(render({ html: '<p>a</p>', text: 'a', shared: { layout: { text: '[{{ content }}]' } } })).toMatchObject({
      html: '<p>a</p>',
      text: '[a]',
    });
    expect(render({ html: '<p>a</p>', shared: { layout: { html: '{{ content }}<p>foot</p>' } } })).toMatchObject({
      text: 'a\n\nfoot',
    });
  });

  it('sees the context, the subject, the language and the brand', () => {
    const html =
      '{{ content }}|{{ a }}|{{ message.subject }}|{{ message.lang }}|{{ message.dir }}|{{ brand.color }}|{{ unsubscribe_url }}';
    const shared = { layout: { html }, brand: { color: '#123456' } };
    expect(
      render({ subject: 'S', html: 'x', text: 'x', lang: 'ar', shared }, { a: '"', brand: 1, message: 2 }).html,
    ).toBe('x|&quot;|S|ar|rtl|#123456|https://acme.test/u?a=1&amp;b=2');
  });

  it('has a key of its own', () => {
    expect(templateKey({ text: 'a', shared: { layout } })).not.toBe(templateKey({ text: 'a' }));
  });

  it('tells which fields of the context it needs', () => {
    const shared = { layout: { html: '{{ content }}{{ preheader }}{{ brand.color }}' } };
    expect(usesInTemplate({ text: 'x', shared }).flatMap(({ uses }) => uses!.map(({ path }) => path))).toEqual([
      ['preheader'],
    ]);
  });
});

describe('a partial', () => {
  const partials = {
    button: { html: '<a href="{{ url }}">{{ label }}</a>', text: '{{ label }}: {{ url }}' },
    inner: { html: '<i>{{ a }}{{ secret }}{{ organization.name }}</i>' },
    outer: { html: "<b>{% render 'inner', a: x %}</b>" },
  };

  it('sees its own values and the reserved names, and not the context', () => {
    const html = "{% render 'outer', x: a %}";
    expect(render({ html, text: 'x', shared: { partials } }, { a: '<', secret: 's' }).html).toBe(
      '<b><i>&lt;Acme &amp; Co</i></b>',
    );
  });

  it('is HTML in Markdown, and text in a text', () => {
    const source = "Hi\n\n{% render 'button', url: u, label: 'Pay' %}\n\nBye {% render 'button', url: u, label: '*' %}";
    const { html, text } = render({ markdown: source, text: source, shared: { partials } }, { u: 'https://a.test/"x' });
    const link = (label: string) => `<a href="https://a.test/&quot;x">${label}</a>`;
    expect(html).toBe(`<p>Hi</p>\n${link('Pay')}\n<p>Bye ${link('*')}</p>\n`);
    expect(text).toBe('Hi\n\nPay: https://a.test/"x\n\nBye *: https://a.test/"x');
  });

  it('stands in another partial that gets it as a value, and not inside its tags', () => {
    const frame = { html: '<td title="{{ body }}">{{ body }}</td>' };
    const markdown = "{% capture b %}{% render 'inner' %}{% endcapture %}{% render 'frame', body: b %}";
    expect(render({ markdown, shared: { partials: { ...partials, frame } } }).html).toBe(
      '<td title=""><i>Acme &amp; Co</i></td>\n',
    );
  });

  it('is converted where it has no part of the kind', () => {
    const shared = { partials: { only: { text: 'a < b' }, rich: { html: '<p>c</p>' } } };
    expect(
      render({ html: "{% render 'only' %}", text: "{% render 'rich' %}{% render 'only' %}", shared }),
    ).toMatchObject({ html: '<p>a &lt; b</p>', text: 'ca < b' });
  });

  it('gets a message of the project from its template', () => {
    const text = "{% assign bye = 'bye' | t %}{% render 'footer', bye: bye %}";
    expect(inspectTemplate({ text })).toMatchObject({ keys: [{ part: 'text', key: 'bye' }], problems: {} });
    const messages = { en: { bye: 'Bye' }, ar: { bye: 'وداعا' } };
    const shared = { partials: { footer: { html: '<p>{{ bye }}</p>', text: '-- {{ bye }}' } } };
    expect(render({ text, html: text, messages, shared })).toMatchObject({ text: '-- وداعا', html: '<p>وداعا</p>' });
  });

  it('writes messages in the language of the reader, which says nothing about that of the template', () => {
    const shared = {
      layout: {
        text: "{{ content }} {% render 'footer' %}",
        html: '<i lang="{{ message.lang }}">{{ content }}{{ \'by\' | t }}</i>',
      },
      partials: { footer: { text: "{{ 'bye' | t: name: organization.name }}" } },
      messages: { en: { bye: 'Bye', by: 'by' }, ar: { bye: 'وداعا {name}', by: '<ar>' } },
    };
    expect(render({ text: "{{ 'hi' | t }}", messages: { en: { hi: 'Hi' } }, shared })).toMatchObject({
      text: 'Hi وداعا Acme & Co',
      html: '<i lang="en"><p>Hi</p>&lt;ar&gt;</i>',
    });
  });

  it('is named by its template', () => {
    const html = "{% if a %}{% render 'x', b: c %}{% endif %}";
    const report = inspectTemplate({ html, text: "{% render 'y' %}" });
    expect(report.partials).toEqual([
      { part: 'text', name: 'y' },
      { part: 'html', name: 'x' },
    ]);
    const uses = usesInTemplate({ html }).flatMap(({ uses: found }) => found!.map(({ path }) => path[0]));
    expect(uses).toEqual(['a', 'c']);
  });

  it.each([
    ['{% render x %}', /needs the name of a partial in quotes/],
    ["{% render '../x' %}", /needs the name of a partial in quotes/],
    ["{% render 'x' with y %}", /takes values such as year: 2026/],
    ["{% render 'x' for y as z %}", /takes values such as year: 2026/],
    ["{% render 'x', y %}", /takes values such as year: 2026/],
    ["{% include 'x' %}", /include tag is not available/],
  ])('has a fixed name and named values: %s', (text, problem) => {
    expect(inspectTemplate({ text }).problems.text?.join()).toMatch(problem);
  });

  it('stays in our process if it is plain', () => {
    const compiled = (html: string) => compileTemplate({ html, text: 'x', shared: { partials } });
    expect(compileTemplate({ html: 'a', text: 'a', shared: { layout: { html: '{{ content }}' } } }).plain).toBe(true);
    const plain = { button: partials.button };
    expect(
      compileTemplate({ html: "{% render 'button', url: u %}", text: 'x', shared: { partials: plain } }).plain,
    ).toBe(true);
    expect(compiled("{% render 'inner' %}").plain).toBe(false); // its HTML may have to be converted
  });
});

describe('limits', () => {
  it('end partials that use each other', () => {
    const partials = { a: { text: "{% render 'b' %}" }, b: { text: "{% render 'a' %}" } };
    expect(() => render({ text: "{% render 'a' %}", shared: { partials } })).toThrow('more than 20 partials');
  });

  it('end partials that multiply', () => {
    const names = [...'abcdefghi'];
    const of = (name?: string) => ({ text: name ? `{% render '${name}' %}`.repeat(100) : '' });
    const partials = Object.fromEntries(names.map((name, i) => [name, of(names[i + 1])]));
    expect(() => render({ text: "{% render 'a' %}", shared: { partials } })).toThrow('memory alloc limit exceeded');
  });

  it('end a message that grows', () => {
    const partials = { a: { text: 'x'.repeat(100_000) } };
    const text = "{% render 'a' %}".repeat(10);
    expect(() => render({ text, shared: { partials } })).toThrow('larger than 512 KB');
  });

  it('end Markdown that repeats a captured partial', () => {
    const partials = { big: { html: 'x'.repeat(100_000) }, frame: { html: '{{ body }}'.repeat(5) } };
    const capture = "{% capture b %}{% render 'big' %}{% endcapture %}";
    const shared = { partials };
    expect(() => render({ markdown: capture + '{{ b }}\n\n'.repeat(300), shared })).toThrow('larger than 512 KB');
    expect(() => render({ markdown: `${capture}${"{% render 'frame', body: b %}".repeat(300)}`, shared })).toThrow(
      'larger than 512 KB',
    );
    expect(render({ markdown: `${capture}{{ b }}`, shared }).html).toHaveLength(100_001);
  });
});

describe('a value cannot leave its place', () => {
  const EVIL = [
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    '</main></body>',
    '{{ content }}',
    '{% render "x" %}',
    '[a](javascript:alert(1))',
    '![a](//evil.test/x.png)',
    '&lt;script&gt;',
    '<!--',
    '\u0000<b>',
    'hole0x0x',
  ];
  const partials = { box: { html: '<td title="{{ v }}">{{ v }}</td>' }, line: { text: '{{ v }}' } };
  const shared = { layout: { html: '<main data-v="{{ v }}">{{ content }}{{ v }}</main>' }, partials };
  const places: [string, TemplateParts][] = [
    ['html', { html: '<p title="{{ v }}">{{ v }}</p>' }],
    ['text', { text: '{{ v }}' }],
    ['Markdown', { markdown: 'Hi {{ v }}' }],
    ['a partial in html', { html: "{% render 'box', v: v %}{% render 'line', v: v %}" }],
    ['a partial in Markdown', { markdown: "Hi {% render 'box', v: v %}\n\n{% render 'line', v: v %}" }],
    ['a partial in a link', { markdown: "[Open]({% render 'line', v: v %})" }],
    ['captured content', { html: '{% capture x %}{{ v }}{% endcapture %}{{ x }}' }],
  ];

  /** The tags and the attributes in a text of HTML, by name. */
  const shape = (html: string) =>
    [...html.matchAll(/<\/?([a-z!-]+)((?:\s+[\w-]+(?:=(?:"[^"]*"|'[^']*'))?)*)\s*\/?>/gi)].map(
      ([, tag, attributes]) =>
        `${tag} ${[...attributes!.matchAll(/\s([\w-]+)=("[^"]*"|'[^']*')/g)].map(([, name]) => name).join()}`,
    );

  it.each(places)('%s', (_place, parts) => {
    const harmless = render({ ...parts, shared }, { v: 'word' }).html;
    for (const evil of EVIL) {
      const html = render({ ...parts, shared }, { v: evil }).html;
      expect([evil, shape(html)]).toEqual([evil, shape(harmless)]);
      expect(html).not.toMatch(/<script|href=.javascript:|<img/i);
    }
  });
});

it('makes links and paragraphs of a text', () => {
  expect(textToHtml('See https://a.test/x?a=1&b="2", (https://b.test).\n \nBye')).toBe(
    '<p>See <a href="https://a.test/x?a=1&amp;b=">https://a.test/x?a=1&amp;b=</a>&quot;2&quot;, (<a href="https://b.test">https://b.test</a>).</p>\n<p>Bye</p>',
  );
});

it('fills no hole inside a tag', () => {
  const holes = new MarkdownHoles(() => '<b>x</b>');
  const word = holes.leave('a', {}, () => '');
  expect(holes.fill(`<a href="${word}">${word}</a><p>${word}</p>`)).toBe('<a href=""><b>x</b></a><b>x</b>');
});
