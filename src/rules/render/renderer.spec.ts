import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from '@jest/globals';
import { cpuMs } from '../../../bench/measure/processes.mjs';
import { itOnLinux } from '../../../test/support/linux.js';
import { until } from '../../../test/support/until.js';
import { root } from '../../platform/config/root.js';
import { templateKey } from '../template/template.js';
import type { Json, RenderContext, TemplateParts } from '../template/template.js';
import type { RenderResult, TemplateSource } from './render-result.js';
import { Renderer } from './renderer.js';

const renderer = new Renderer();
afterAll(() => renderer.close());

/** Runs a test with its own renderer and short limits. */
async function using(
  limits: ConstructorParameters<typeof Renderer>[0],
  work: (own: Renderer) => Promise<void>,
): Promise<void> {
  const own = new Renderer(limits);
  try {
    await work(own);
  } finally {
    await own.close();
  }
}

const source = (parts: TemplateParts): TemplateSource => ({ key: templateKey(parts), parts });

// One turn takes about 10 ms of CPU time. Wall-clock time would depend on other work of the test machine.
const PAUSE_MS = 1_000;

const nothing: Json = {};
const shared = {
  event: nothing,
  application: nothing,
  project: nothing,
  organization: nothing,
  occurrence: nothing,
  channel: nothing,
};

function users(count: number, context: Json = nothing, poisonous: number[] = []): RenderContext[] {
  const user = (index: number): Json => ({ first_name: `n${index}`, poison: poisonous.includes(index) });
  return Array.from({ length: count }, (_, index) => ({ context, user: user(index), ...shared }));
}

const textOf = (result: RenderResult | undefined): string =>
  result?.ok ? result.message.text : `${result?.reason}: ${result?.error}`;

const ownMs = () => process.cpuUsage().user / 1000;

/** The longest CPU time that our process used while its event loop stood still, in milliseconds. */
async function longestPause(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = ownMs();
  const look = () => {
    longest = Math.max(longest, ownMs() - last);
    last = ownMs();
  };
  const timer = setInterval(look, 5);
  await work();
  look();
  clearInterval(timer);
  return longest;
}

const letters = 'a'.repeat(120_000);

// Takes many seconds inside one tag, where LiquidJS does not check its limits.
const unstoppable = `{% assign l = letters | split: "" | where_exp: "x", "x${' | downcase'.repeat(100)}" %}`;

describe('messages', () => {
  it('are rendered in order, plain or not', async () => {
    const plain = await renderer.render(source({ text: 'Hi {{ user.first_name }}' }), users(300));
    expect(plain.map(textOf)).toEqual(users(300).map(({ user }) => `Hi ${String(user?.first_name)}`));
    const loop = source({ text: '{% for x in list %}{{ x }}{{ user.first_name }} {% endfor %}' });
    const looped = await renderer.render(loop, users(300, { list: ['a', 'b'] }));
    expect(looped.map(textOf)).toEqual(users(300).map(({ user }) => `a${user?.first_name} b${user?.first_name} `));
  });

  it('fail one by one when only some cannot be rendered', async () => {
    const template = source({ text: '{% if user.poison %}{{ "!" | base64_decode }}{% endif %}{{ user.first_name }}' });
    const results = await renderer.render(template, users(3, {}, [1]));
    expect(results.map(textOf)).toEqual(['n0', expect.stringMatching(/^invalid: .*base64/), 'n2']);
  });

  it('fail all when the template is wrong', async () => {
    const results = await renderer.render(source({ text: '{% include "x" %}' }), users(2));
    expect(results.map(textOf)).toEqual(
      Array(2).fill(expect.stringMatching(/^invalid: .*include tag is not available/)),
    );
  });

  it('come from Markdown and HTML too', async () => {
    const [result] = await renderer.render(source({ markdown: '**{{ user.first_name }}**' }), users(1));
    expect(result).toEqual({
      ok: true,
      message: { subject: '', text: 'n0', html: '<p><strong>n0</strong></p>\n' },
    });
  });

  it('are limited in size, in both processes', async () => {
    const big = { text: 'x'.repeat(100_000) };
    for (const text of ['{{ text }}'.repeat(6), '{% for i in (1..6) %}{{ text }}{% endfor %}']) {
      expect((await renderer.render(source({ text }), users(1, big))).map(textOf)).toEqual([
        'too_large: The rendered message is too large.',
      ]);
    }
  });

  it.each([
    ['before the other process is up', 0],
    ['in the middle', 1],
  ])('stop when the renderer is closed %s', async (_when, warm) => {
    const own = new Renderer();
    await own.render(source({ text: '{% for i in (1..1) %}{% endfor %}' }), users(warm));
    const rendering = own.render(source({ text: unstoppable }), users(10, { letters }));
    const refused = expect(rendering).rejects.toThrow('the renderer is closed');
    if (warm > 0) await new Promise(setImmediate); // it has been sent over
    await own.close();
    await refused;
    expect(own.pid).toBeUndefined();
  });
});

const attacks: [string, string, Json?][] = [
  [
    'a loop in a loop in a loop',
    '{% for a in (1..9999) %}{% for b in (1..9999) %}{% for c in (1..9999) %}{% endfor %}{% endfor %}{% endfor %}',
  ],
  ['an endless range', '{% for i in (1..1000000000) %}{{ i }}{% endfor %}'],
  ['a range that is put out', '{{ (1..1000000000) }}'],
  [
    'a text that doubles',
    '{% assign s = "xxxxxxxxxx" %}{% for i in (1..60) %}{% assign s = s | append: s %}{% endfor %}{{ s }}',
  ],
  [
    'a capture that doubles',
    '{% assign s = "x" %}{% for i in (1..60) %}{% capture s %}{{ s }}{{ s }}{% endcapture %}{% endfor %}{{ s | upcase }}',
  ],
  [
    'a capture that doubles and is encoded',
    '{% assign s = "é" %}{% for i in (1..28) %}{% capture s %}{{ s }}{{ s }}{% endcapture %}{% endfor %}{{ s | url_encode | size }}',
  ],
  [
    'a list that doubles',
    '{% assign l = "a,b" | split: "," %}{% for i in (1..60) %}{% assign l = l | concat: l %}{% endfor %}{{ l | size }}',
  ],
  [
    'a tree of lists',
    '{% assign l = "a,b" | split: "," %}{% for i in (1..60) %}{% assign l = "" | split: "" | push: l | push: l %}{% endfor %}{{ l }}',
  ],
  [
    'a tree of lists as JSON',
    '{% assign l = "a,b" | split: "," %}{% for i in (1..60) %}{% assign l = "" | split: "" | push: l | push: l %}{% endfor %}{{ l | json | size }}',
  ],
  [
    'a tree of lists joined',
    '{% assign l = "a,b" | split: "," %}{% for i in (1..60) %}{% assign l = "" | split: "" | push: l | push: l %}{% endfor %}{{ l | join }}',
  ],
  ['a wide date', '{{ "now" | date: "%999999999Y" }}{% for i in (1..2) %}{% endfor %}'],
  [
    'many dates',
    '{% for i in (1..100000) %}{{ "now" | date: "%c%c%c%c%c%c%c%c" | size | minus: 99999 | slice: 0, 0 }}{% endfor %}',
  ],
  ['a replacement that multiplies', '{% assign s = letters | replace: "a", letters %}{{ s | size }}', { letters }],
  [
    'a search that is quadratic',
    '{% for i in (1..50) %}{{ hay | remove: needle | slice: 0, 0 }}{% endfor %}',
    { hay: letters, needle: `${'a'.repeat(30_000)}b${'a'.repeat(30_000)}` },
  ],
  ['one tag that takes very long', unstoppable, { letters }],
  [
    'an expression for each of many',
    '{% assign l = letters | split: "" %}{% assign m = l | where_exp: "x", "l contains y" %}{{ m | size }}',
    { letters },
  ],
  [
    'sorting again and again',
    '{% assign l = letters | split: "" %}{% for i in (1..1000) %}{% assign m = l | sort_natural %}{% endfor %}',
    { letters },
  ],
  [
    'whitespace that is stripped',
    '{% for i in (1..1000) %}{{ s | strip_html | squish | truncatewords: 1 | slice: 0, 0 }}{% endfor %}',
    { s: `${'<'.repeat(60_000)}${' '.repeat(60_000)}x` },
  ],
];

describe('a template that costs too much', () => {
  it.each(attacks)('fails alone and is stopped: %s', async (_name, attack, context = {}) => {
    const text = `{% if user.poison %}${attack}{% endif %}ok`;
    const template = source({ text });
    let results: RenderResult[] = [];
    const pause = await longestPause(async () => {
      results = await renderer.render(template, users(4, context, [1]));
    });
    expect(results.map(textOf)).toEqual(['ok', expect.not.stringMatching(/^ok/), 'ok', 'ok']);
    expect(results[1]).toMatchObject({ ok: false, reason: expect.stringMatching(/^(slow|memory|too_large)$/) });
    expect(pause).toBeLessThan(PAUSE_MS);
  });

  it('is not tried again after three times', () =>
    using({ slowMs: 100 }, async (own) => {
      const text =
        '{% if user.poison %}{% for a in (1..99999) %}{% for b in (1..99) %}{% endfor %}{% endfor %}{% endif %}ok';
      const results = await own.render(source({ text }), users(500, {}, [1, 2, 5, 6, 7, 8, 9]));
      expect(results.slice(0, 6).map((result) => (result.ok ? 'ok' : result.reason))).toEqual([
        'ok',
        'slow',
        'slow',
        'ok',
        'ok',
        'slow',
      ]);
      expect(new Set(results.slice(6).map((result) => (result.ok ? 'ok' : result.reason)))).toEqual(
        new Set(['poisoned']),
      );
      const again = await own.render(source({ text }), users(2));
      expect(again.map(textOf)).toEqual(Array(2).fill(expect.stringMatching(/^poisoned: .*not tried again/)));
      expect((await own.render(source({ text: 'other' }), users(1))).map(textOf)).toEqual(['other']);
    }));

  it('is tried again after a while', () =>
    using({ slowMs: 50, strikes: 1, blockedMs: 1 }, async (own) => {
      const text =
        '{% if user.poison %}{% for a in (1..99999) %}{% for b in (1..99) %}{% endfor %}{% endfor %}{% endif %}ok';
      expect((await own.render(source({ text }), users(1, {}, [0])))[0]).toMatchObject({ reason: 'slow' });
      const again = () => own.render(source({ text }), users(1));
      const said = await until(5000, async () => (await again()).map(textOf).find((each) => each === 'ok'));
      expect(said).toBe('ok');
    }));

  it('is killed with its process when nothing else stops it', () =>
    using({ slowMs: 60_000, killMs: 1_000 }, async (own) => {
      const text = `{% if user.poison %}${unstoppable}{% endif %}ok`;
      const [first] = await own.render(source({ text: '{% for i in (1..1) %}up{% endfor %}' }), users(1));
      expect(textOf(first)).toBe('up');
      const before = own.pid;
      const results = await own.render(source({ text }), users(5, { letters }, [2]));
      expect(results.map(textOf)).toEqual(['ok', 'ok', 'slow: The template took too long.', 'ok', 'ok']);
      expect(own.pid).not.toBe(before);
      expect(() => process.kill(before ?? 0, 0)).toThrow('ESRCH');
    }));

  it('fills the memory of the other process, not ours', () =>
    using({ memoryMb: 24, slowMs: 20_000, killMs: 20_000 }, async (own) => {
      const double = '{% for i in (1..24) %}{% capture s %}{{ s }}{{ s }}{% endcapture %}{% endfor %}';
      const grow = `{% assign s = "a" %}${double}{{ s | split: "" | size }}`;
      const [up] = await own.render(source({ text: '{% for i in (1..1) %}up{% endfor %}' }), users(1));
      expect(textOf(up)).toBe('up');
      const before = own.pid;
      const results = await own.render(source({ text: `{% if user.poison %}${grow}{% endif %}ok` }), users(4, {}, [1]));
      expect(results.map(textOf)).toEqual(['ok', 'memory: The template used too much memory.', 'ok', 'ok']);
      expect(own.pid).not.toBe(before);
    }));

  itOnLinux('is one for its CPU time, not for the time that the machine takes for something else', () =>
    using({ slowMs: 1_000, killMs: 60_000 }, async (own) => {
      const [up] = await own.render(source({ text: '{% for i in (1..1) %}up{% endfor %}' }), users(1));
      expect(textOf(up)).toBe('up');
      const pid = own.pid!;
      const before = cpuMs([pid]);
      const text = '{% for a in (1..9000) %}{% if a == 0 %}{% endif %}{% endfor %}ok';
      const rendering = own.render(source({ text }), users(20));
      await until(10_000, () => cpuMs([pid]) > before + 30); // it is in the middle of it
      process.kill(pid, 'SIGSTOP');
      const stoppedAt = performance.now();
      await until(10_000, () => performance.now() - stoppedAt > 1_500);
      process.kill(pid, 'SIGCONT');
      expect((await rendering).map(textOf)).toEqual(Array(20).fill('ok'));
    }),
  );

  it('delays the others by one turn only', async () => {
    const slow = source({ text: '{% for a in (1..3000) %}{% if a == 0 %}{% endif %}{% endfor %}slow' });
    const done: string[] = [];
    const many = renderer.render(slow, users(60)).then(() => done.push('slow'));
    const few = renderer
      .render(source({ text: '{% for a in (1..2) %}{% endfor %}quick' }), users(20))
      .then(() => done.push('quick'));
    await Promise.all([many, few]);
    expect(done).toEqual(['quick', 'slow']);
  });
});

describe('a plain template', () => {
  const words = Array.from({ length: 30_000 }, (_, index) => index);
  const context = {
    letters,
    words,
    angle: '<'.repeat(120_000),
    percent: '%'.repeat(120_000),
    needle: `${'a'.repeat(30_000)}b${'a'.repeat(30_000)}`,
    wide: Object.fromEntries(words.slice(0, 15_000).map((word) => [`name${word}`, word])),
  };

  it.each([
    ['outputs', '{{ angle }}'.repeat(2_000)],
    [
      'doubling',
      '{% assign s = "xxxxxxxxxx" %}' + '{% assign s = s | append: s | append: s %}'.repeat(900) + '{{ s }}',
    ],
    ['JSON of JSON', `{% assign s = '"' %}` + '{% assign s = s | json | json | json %}'.repeat(900) + '{{ s | size }}'],
    [
      'encoding',
      '{% assign s = percent %}' +
        '{% assign s = s | url_encode | url_encode | url_encode %}'.repeat(900) +
        '{{ s | size }}',
    ],
    ['a search', '{% if letters contains needle %}{% endif %}'.repeat(900)],
    ['a replacement', '{{ letters | replace: needle, "" | size }}'.repeat(900)],
    ['a list that is compared', '{% if words == words and words == words and words == words %}{% endif %}'.repeat(900)],
    ['a list that is searched', '{% if words contains letters or words contains letters %}{% endif %}'.repeat(900)],
    ['a list that is ordered', '{% if words < words or words < words or words < words %}{% endif %}'.repeat(900)],
    ['a list that is put out', '{{ words | json | size }}{{ words | join | size }}'.repeat(900)],
    ['an object that is searched', `{{ wide ${'| replace: "" '.repeat(8)}}}`.repeat(900)],
    ['an object that is searched for', `{{ '' ${'| replace: wide '.repeat(8)}}}`.repeat(900)],
    ['an object that is encoded', '{{ wide | url_encode | size }}'.repeat(1_900)],
    ['an object that is a date', '{{ wide | date: "%Y" | size }}'.repeat(1_900)],
    ['an object as JSON', '{{ wide | json | size }}'.repeat(1_900)],
    ['an object that is put out', '{{ wide }}'.repeat(1_900)],
    ['an object that is compared', '{% if wide contains "a" or letters contains wide %}{% endif %}'.repeat(900)],
    ['an object in capitals', '{{ wide | upcase | size }}{{ wide | append: wide | size }}'.repeat(900)],
    ['dates', '{{ "now" | date: "%c%c%c%c%c%c%c%c%c%c%c%c" | size }}'.repeat(1_900)],
    ['an object in a message', "{{ 'k' | t: a: wide }}"],
    ['an object that is a key', '{{ wide | t | size }}'.repeat(1_900)],
  ])('cannot block our own process: %s', async (_name, text) => {
    const template = source({ text, messages: { en: { k: '{a}'.repeat(660) } } });
    const results: RenderResult[] = [];
    const pause = await longestPause(async () =>
      results.push(...(await renderer.render(template, users(20, context)))),
    );
    expect(results).toHaveLength(20);
    expect(pause).toBeLessThan(PAUSE_MS);
  });
});

it('leaves no process behind when our own is killed in the middle of an endless template', async () => {
  const module = (name: string): string => pathToFileURL(join(root, 'dist-test', 'src', 'rules', 'render', name)).href;
  const context = JSON.stringify(users(1, { letters })[0]);
  const script = `
    import { Renderer } from '${module('renderer.js')}';
    const renderer = new Renderer();
    await renderer.render({ key: 'up', parts: { text: '{% for i in (1..1) %}{% endfor %}' } }, [${context}]);
    void renderer.render({ key: 'a', parts: { text: ${JSON.stringify(unstoppable)} } }, [${context}]);
    setImmediate(() => process.stdout.write(String(renderer.pid)));`;
  const parent = spawn(process.execPath, ['--input-type=module', '-'], { stdio: ['pipe', 'pipe', 'inherit'] });
  parent.stdin.end(script);
  const [pid] = (await once(parent.stdout, 'data')) as [Buffer];
  parent.kill('SIGKILL');
  await once(parent, 'exit');
  const alive = (): boolean => {
    try {
      return process.kill(Number(pid.toString()), 0);
    } catch {
      return false;
    }
  };
  expect(alive()).toBe(true);
  expect(await until(10_000, () => !alive())).toBe(true);
});
