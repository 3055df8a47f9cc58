import { describe, expect, it } from '@jest/globals';
import { mjmlToHtml } from './mjml-to-html.js';

const mail = (inside: string) =>
  `<mjml><mj-body><mj-section><mj-column>${inside}</mj-column></mj-section></mj-body></mjml>`;
const htmlOf = (source: string) => {
  const result = mjmlToHtml(source);
  if ('problem' in result) throw new Error(result.problem);
  return result.html;
};
const problemOf = (source: string) => {
  const result = mjmlToHtml(source);
  return 'problem' in result ? result.problem : null;
};

describe('MJML', () => {
  it('becomes the HTML of a mail', () => {
    const html = htmlOf(mail('<mj-text>Hello</mj-text><mj-button href="https://acme.test">Pay</mj-button>'));
    expect(html).toMatch(/^<!doctype html>/);
    expect(html).toContain('>Hello</div>');
    expect(html).toContain('href="https://acme.test"');
    expect(html).toContain('max-width:600px');
  });

  it('keeps Liquid as it is, also what is no XML', () => {
    const liquid = `{% if n < 5 and name != "a" %}{{ name | append: '<&>"' }}{% endif %}`;
    expect(htmlOf(mail(`<mj-text>${liquid}</mj-text>`))).toContain(liquid);
    expect(htmlOf(mail(`<mj-button href="{{ url | append: "?a" }}">x</mj-button>`))).toContain(
      'href="{{ url | append: "?a" }}"',
    );
    expect(htmlOf(mail('{% for i in items %}<mj-text>{{ i }}</mj-text>{% endfor %}'))).toMatch(
      /\{% for i in items %\}<tr>.*\{\{ i \}\}.*<\/tr>\{% endfor %\}/s,
    );
  });

  it.each([
    ['text that is no MJML', '<p>Hello</p>', /^is no MJML: unexpected token, line:1$/],
    ['nothing', '', /^is no MJML: unable to find mjml element$/],
    [
      'an unknown element',
      mail('\n<mj-txt>x</mj-txt>'),
      /^<mj-txt> is not an element of MJML: did you mean mj-text\?.*, line:2$/,
    ],
    [
      'a wrong end tag',
      mail('\n\n<mj-text>x</mj-button>'),
      /^<\/mj-button> closes nothing here: <mj-text> is open, line:3$/,
    ],
    ['an element without an end', '<mjml><mj-body>', /^<mj-body> has no end tag$/],
    ['a tag without an end', mail('<mj-text a="'), /^has a tag without an end, line:1$/],
    ['a comment without an end', mail('<!-- x'), /^has a tag without an end, line:1$/],
    [
      'a file of the server',
      '<mjml><mj-body><mj-include path="/etc/passwd" /></mj-body></mjml>',
      /^<mj-include> cannot be used: write a partial/,
    ],
    ['a carousel', mail('<mj-carousel><mj-carousel-image src="a" /></mj-carousel>'), /^<mj-carousel> cannot be used/],
    [
      'inline styles',
      '<mjml><mj-head><mj-style inline="inline">a{}</mj-style></mj-head><mj-body></mj-body></mjml>',
      /inline/,
    ],
    ['Liquid that MJML would drop', mail('\n<mj-text colour="{{ c }}">x</mj-text>'), /, line:2: put it into mj-raw/],
  ])('refuses %s', (_, source, problem) => {
    expect(problemOf(source)).toMatch(problem);
  });

  it('refuses what the converter would not survive, and works afterwards', () => {
    for (const tag of ['mj-wrapper', 'mj-group', 'mj-section', 'div', 'mj-hero', 'BR', '_a', 'é', ':a'])
      expect(problemOf(`<mjml><mj-body>${`<${tag}>`.repeat(5000)}`)).toMatch(/is inside more than 100 others, line:1$/);
    expect(problemOf(mail(`<mj-text>${'<div><mj-text></mj-text>'.repeat(3000)}</mj-text>`))).toMatch(/is inside more/);
    expect(htmlOf(mail('<mj-text>Hello</mj-text>'))).toContain('Hello');
  });

  it('refuses what would be too large when it is converted', () => {
    const long = 'x'.repeat(20_000);
    const shared = `<mj-head><mj-attributes><mj-all font-family="${long}" /></mj-attributes></mj-head>`;
    const texts = '<mj-text>x</mj-text>'.repeat(2_000);
    expect(
      problemOf(`<mjml>${shared}<mj-body><mj-section><mj-column>${texts}</mj-column></mj-section></mj-body></mjml>`),
    ).toMatch(/the HTML would be too large/);
    expect(problemOf(mail(texts.repeat(2)))).toMatch(/^is more than 130048 characters of HTML/);
    const links = '<mj-navbar-link href="a">x</mj-navbar-link>'.repeat(500);
    expect(problemOf(mail(`<mj-navbar base-url="{{ '${long}' }}">${links}</mj-navbar>`))).toMatch(
      /^is more than 130048/,
    );
  });

  it('ends soon, whatever the source repeats', () => {
    for (const piece of ['{{', '{%', '<!--', '<a ', '<', '"', '{{}}', '<mj-text>', '</mj-text>', '<![CDATA['])
      expect(Object.keys(mjmlToHtml(mail(piece.repeat(Math.floor(100_000 / piece.length)))))).toHaveLength(1);
  });
});
