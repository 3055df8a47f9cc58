import { describe, expect, it } from '@jest/globals';
import { Liquid, tags } from 'liquidjs';
import { compileTemplate } from './template.js';
import { fieldsOfUses, usesInTemplate } from './template-fields.js';

/*
 * template-uses.ts and plain.ts walk the tree that LiquidJS parses. These specs fail when an update of LiquidJS changes that
 * tree; then both files must be checked against the new version.
 */

const SAMPLES: Record<string, string> = {
  '#': '{% # a %}',
  assign: '{% assign x = a | append: b %}{{ x }}',
  break: '{% for i in a %}{% break %}{% endfor %}',
  capture: '{% capture x %}{{ a }}{% endcapture %}{{ x }}',
  case: '{% case a %}{% when b, c %}{{ d }}{% else %}{{ e }}{% endcase %}',
  comment: '{% comment %}{{ a }}{% endcomment %}',
  continue: '{% for i in a %}{% continue %}{% endfor %}',
  cycle: '{% cycle a: b, c %}',
  decrement: '{% decrement x %}{{ x }}',
  echo: '{% echo a | default: b %}',
  for: '{% for i in a limit: b offset: c %}{{ i }}{{ forloop.index }}{{ d }}{% else %}{{ e }}{% endfor %}',
  if: '{% if a == b %}{{ c }}{% elsif d %}{{ e }}{% else %}{{ f }}{% endif %}',
  increment: '{% increment x %}{{ x }}',
  liquid: '{% liquid\n echo a\n if b\n echo c\n endif %}',
  raw: '{% raw %}{{ a }}{% endraw %}',
  tablerow: '{% tablerow i in a cols: b limit: c %}{{ i }}{{ d }}{% endtablerow %}',
  unless: '{% unless a %}{{ b }}{% else %}{{ c }}{% endunless %}',
};

/** createLiquid refuses these. */
const REFUSED = ['block', 'include', 'layout'];
/** We have our own, which layout.spec.ts tries. */
const REPLACED = ['render'];

it('covers every tag of LiquidJS', () => {
  expect(Object.keys(tags).sort()).toEqual([...Object.keys(SAMPLES), ...REFUSED, ...REPLACED].sort());
});

describe('finds the same top-level names as the analysis of LiquidJS', () => {
  const outputs = [
    '{{ a.b["c"] | append: d, e: f }}',
    '{{ a[b.c] }}',
    '{{ (a..b) }}',
    '{{ a and b or c > d }}',
    '{{ a | map: "x" }}',
  ];

  it.each([...Object.values(SAMPLES), ...outputs])('%s', (text) => {
    const names = [...fieldsOfUses(usesInTemplate({ text }))!.fields.keys()];
    expect(names.sort()).toEqual(new Liquid().globalVariablesSync(text).sort());
  });
});

it('a plain template may escape its output', () => {
  expect(compileTemplate({ html: '{{ a }}', text: 'a' }).plain).toBe(true);
});
