import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { cli } from '../support/app/cli.js';
import { until } from '../support/until.js';
import { createFolder } from '../support/folder.js';

const FILE = `organizations:
  - slug: acme
    name: Acme Inc
    channels:
      - { slug: mail, name: Mail, type: email, config: { host: { env: NOT_SET_HERE }, from: "a@acme.test" } }
      - { slug: team, name: Team, type: slack, config: { webhook_url: { env: NOT_SET_EITHER } } }
    users:
      - { email: ann@acme.test, first_name: Ann, custom_fields: { team: ops } }
      - { email: bob@acme.test, first_name: Bob }
    projects:
      - slug: shop
        name: Shop
        categories:
          - { slug: orders, name: Orders }
        distribution_lists:
          - { name: Staff, members: [ann@acme.test, only@acme.test] }
        applications:
          - slug: web
            name: Web
            events:
              - slug: paid
                name: Order paid
                category: orders
                notifications:
                  - name: Confirm
                    to: recipients
                    templates:
                      - channel: mail
                        subject: "Order {{ order }} of {{ organization.name }}"
                        text: { file: paid.txt }
                        html: "<p>Hi {{ user.first_name }}, {% for item in items %}{{ item.name }} {% endfor %}</p>"
                      - { channel: team, text: "{{ event.name }}: {{ order }}" }
                  - name: Receipt
                    distribution_list: Staff
                    templates:
                      - { channel: mail, markdown: "**{{ total }}**, [stop]({{ unsubscribe_url }})" }
              - slug: failed
                name: Payment failed
                notifications:
                  - name: Tell
                    distribution_list: Staff
                    templates: [{ channel: mail, text: "{{ total | times: 2 }} for {{ user.custom_fields.team }}" }]
`;

const folder = createFolder();
writeFileSync(join(folder.path, 'paid.txt'), 'Hi {{ user.first_name }}, {{ total }} EUR.\n');
afterAll(() => folder.remove());

const put = (text: string, name = 'acme.yaml') => {
  const path = join(folder.path, name);
  writeFileSync(path, text);
  return path;
};
const path = put(FILE);
const context = JSON.stringify({ order: 'A-17', total: 80, items: [{ name: 'Tea' }, { name: 'Cup' }] });
const CONFIRM = ['--event', 'shop/web/paid', '--notification', 'Confirm'];

/** The lines of a mail of Confirm before its text. */
const headTo = (user: string) =>
  `From: a@acme.test\nTo: ${user}\nList-Unsubscribe: <https://carillon.example.com/u/sample>\n` +
  'List-Unsubscribe-Post: List-Unsubscribe=One-Click\nList-Id: Orders <orders.shop.acme.carillon.example.com>\n' +
  'Subject: Order A-17 of Acme Inc\n';

/** No database, no service, no data folder. */
const preview = (...args: string[]) => cli(['preview', ...args], {});

interface Printed {
  messages: Record<string, unknown>[];
  warnings: string[];
}

describe('carillon preview', () => {
  it('prints subject and text of the chosen templates, with the first user of the file', async () => {
    expect(await preview(path, ...CONFIRM, '--context', context)).toEqual({
      code: 0,
      stdout:
        `--- shop/web/paid, Confirm: mail to ann@acme.test\n${headTo('ann@acme.test')}Hi Ann, 80 EUR.\n\n` +
        'warning: The HTML and the text of the mail cannot be used to opt out of “Orders”: use the layout default, or add {{ unsubscribe_url }}.\n\n' +
        '--- shop/web/paid, Confirm: team to the room\nOrder paid: A-17\n',
      stderr: '',
    });
  });

  it('renders for a user of the file, or for a member of a list', async () => {
    const as = async (user: string) =>
      (await preview(path, ...CONFIRM, '--channel', 'mail', '--context', context, '--user', user)).stdout;
    expect(await as('BOB@acme.test')).toContain(`mail to bob@acme.test\n${headTo('bob@acme.test')}Hi Bob, 80`);
    expect(await as('only@acme.test')).toContain('mail to only@acme.test\n');
    expect(await preview(path, '--user', 'eve@acme.test')).toMatchObject({
      ...{ code: 1, stderr: 'carillon: the file has no user eve@acme.test in the organization acme\n' },
    });
  });

  it('renders for a sample user if the file has none', async () => {
    const none = put(FILE.replace(/ {4}users:\n.*\n.*\n/, '').replace('members: [ann', 'members: [x'), 'none.yaml');
    const { stdout } = await preview(none, ...CONFIRM, '--context', context);
    expect(stdout).toContain(`mail to sam@example.com\n${headTo('sam@example.com')}Hi Sam, 80 EUR.`);
  });

  it('shows files by their names, which need not exist', async () => {
    const text = '{% for file in occurrence.attachments %}{{ file.filename }} {{ file.url }}\n{% endfor %}';
    const file = put(FILE.replace('text: { file: paid.txt }', `text: ${JSON.stringify(text)}`), 'files.yaml');
    const one = [file, ...CONFIRM, '--channel', 'mail', '--context', context];
    const { stdout } = await preview(...one, '--attach', 'bills/a.pdf', '--attach', 'b.ics');
    expect(stdout).toContain('a.pdf https://carillon.example.com/files/acme/sample\nb.ics https');
    expect(await preview(...one, '--attach', '..')).toMatchObject({
      ...{ code: 1, stderr: expect.stringMatching(/^carillon: --attach must be the name of a file/) },
    });
  });

  it('names the fields that the context lacks, with file and line', async () => {
    const { code, stderr } = await preview(path, '--context', '{ "items": [{}] }');
    const tell = 'notification acme/shop/web/';
    expect([code, stderr.split('\n')]).toEqual([
      0,
      [
        `warning: ${path}:28: ${tell}paid/Confirm: templates.mail: has no value for order, total, items[0].name`,
        `warning: ${path}:32: ${tell}paid/Confirm: templates.team: has no value for order`,
        `warning: ${path}:36: ${tell}paid/Receipt: templates.mail: has no value for total`,
        `warning: ${path}:42: ${tell}failed/Tell: templates.mail: has no value for total`,
        '',
      ],
    ]);
  });

  it('prints everything as JSON', async () => {
    const { stdout } = await preview(path, '--context', context, '--json', '--user', 'bob@acme.test');
    const { messages, warnings } = JSON.parse(stdout) as Printed;
    expect(messages).toHaveLength(4);
    expect(messages[0]).toEqual({
      ...{ event: 'shop/web/paid', notification: 'Confirm', channel: 'mail', user: 'bob@acme.test' },
      ...{ subject: 'Order A-17 of Acme Inc', text: 'Hi Bob, 80 EUR.', html: '<p>Hi Bob, Tea Cup </p>' },
      ...{ from: null, reply_to: null, headers: null, missing: [], optional: [] },
      ...{ url: null, image: null, actions: null, data: null, template: null, left_out: [] },
      ...{ head: expect.objectContaining({ To: 'bob@acme.test' }), html_bytes: 23, attachments: [], language: null },
      checks: [expect.objectContaining({ id: 'no_unsubscribe', level: 'warning' })],
    });
    expect(messages[2]).toMatchObject({
      html: expect.stringContaining('href="https://carillon.example.com/u/sample"'),
    });
    expect(messages[3]).toMatchObject({ missing: ['user.custom_fields.team'] });
    expect(warnings).toEqual([
      expect.stringMatching(/:42: .*failed\/Tell: templates.mail: has no value for user.custom_fields.team$/),
    ]);
  });

  it('writes the HTML of the one chosen template', async () => {
    const html = join(folder.path, 'out.html');
    const { code, stdout } = await preview(path, ...CONFIRM, '--channel', 'mail', '--context', context, '--html', html);
    expect([code, stdout]).toEqual([0, expect.stringContaining('Hi Ann, 80 EUR.')]);
    expect(readFileSync(html, 'utf8')).toBe('<p>Hi Ann, Tea Cup </p>');
    expect(await preview(path, ...CONFIRM, '--html', html)).toMatchObject({
      code: 1,
      stderr: 'carillon: --html takes one template, and 2 are chosen: add --event, --notification or --channel\n',
    });
    expect(await preview(path, ...CONFIRM, '--channel', 'team', '--html', html)).toMatchObject({
      ...{
        code: 1,
        stderr: expect.stringMatching(/carillon: the template of Confirm for team has no html, markdown or mjml\n$/),
      },
    });
  });

  it('opens the HTML in the browser, from a file whose path it prints', async () => {
    const bin = join(folder.path, 'bin');
    mkdirSync(bin);
    const opened = join(folder.path, 'opened');
    const program = process.platform === 'darwin' ? 'open' : 'xdg-open';
    writeFileSync(
      join(bin, program),
      `#!/bin/sh\nprintf '%s' "$*" > '${opened}.part'\nmv '${opened}.part' '${opened}'\n`,
    );
    chmodSync(join(bin, program), 0o755);
    const args = ['preview', path, ...CONFIRM, '--channel', 'mail', '--context', context, '--open'];
    const { code, stderr } = await cli(args, { PATH: `${bin}:${process.env.PATH}` });
    const [, file = ''] = /^HTML written to (.*)\n$/.exec(stderr) ?? [];
    expect([code, readFileSync(file, 'utf8')]).toEqual([0, expect.stringContaining('<p>Hi Ann, Tea Cup </p>')]);
    expect(await until(10_000, () => existsSync(opened) && readFileSync(opened, 'utf8'))).toBe(file);
    rmSync(dirname(file), { recursive: true });

    const given = join(folder.path, 'given.html');
    expect(await cli([...args, '--html', given], { PATH: folder.path })).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('Hi Ann, 80 EUR.'),
      stderr: `HTML written to ${given}\ncarillon: cannot open a browser: this machine has no ${program}. Open ${given} yourself\n`,
    });
    expect(await preview(path, '--open')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('--open takes one template, and 4 are chosen'),
    });
  });

  it('renders for a locale, and says why a language was used', async () => {
    const german = put(
      FILE.replace(
        /( +)text: \{ file: paid.txt \}\n/,
        '$&$1translations: { de: { subject: "Bestellung {{ order }}" } }\n',
      ),
      'de.yaml',
    );
    const args = [german, ...CONFIRM, '--channel', 'mail', '--context', context, '--json'];
    const shown = async (...more: string[]) =>
      (JSON.parse((await preview(...args, ...more)).stdout) as Printed).messages[0];
    expect(await shown()).toMatchObject({ subject: 'Order A-17 of Acme Inc', language: { language: null, by: null } });
    expect(await shown('--locale', 'de-at')).toMatchObject({
      subject: 'Bestellung A-17',
      language: { language: 'de', locale: 'de-AT', by: 'trigger' },
    });
    expect(await preview(...args, '--locale', 'German!')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^carillon: --locale must be /),
    });
  });

  it('puts the layout and the partials of the file around the message', async () => {
    const shared = `
    color: "#1a7f37"
    layouts: [{ slug: main, html: "<main style='color:{{ brand.color }}'>{{ content }}{% render 'bye' %}</main>" }]
    partials: [{ slug: bye, html: "<i>Bye</i>" }]
    channels:`;
    const of = (layout: string) =>
      put(FILE.replace('\n    channels:', shared).replace('markdown:', `layout: ${layout}, markdown:`), 'layout.yaml');
    const choice = ['--notification', 'Receipt', '--context', '{"total": 5}', '--html', join(folder.path, 'out.html')];
    await preview(of('main'), ...choice);
    expect(readFileSync(join(folder.path, 'out.html'), 'utf8')).toMatch(
      /^<main style='color:#1a7f37'><p><strong>5<\/strong>.*<i>Bye<\/i><\/main>$/s,
    );
    await preview(of('default'), ...choice);
    expect(readFileSync(join(folder.path, 'out.html'), 'utf8')).toMatch(/^<!doctype html>.*#1a7f37.*<strong>5/is);
    const { code, stderr } = await preview(of('man'), ...choice);
    expect([code, stderr]).toEqual([1, expect.stringContaining('there is no layout man: did you mean main?')]);
  });

  it('suggests names that the file has', async () => {
    const refusal = async (...args: string[]) => (await preview(path, ...args)).stderr;
    expect(await refusal('--event', 'shop/web/piad')).toBe(
      'carillon: the file has no templates of the event shop/web/piad: did you mean shop/web/paid? Known: shop/web/paid, shop/web/failed\n',
    );
    expect(await refusal('--event', 'acme/shop/web/failed', '--channel', 'team')).toBe(
      'carillon: the file has no templates of the channel team. Known: mail\n',
    );
    expect(await refusal('--context', '[]')).toBe('carillon: --context must be a JSON object\n');
  });
});

describe('a file with mistakes', () => {
  it('is refused as validate refuses it, with file and line', async () => {
    const broken = put(FILE.replace('{{ event.name }}:', '{% if %}').replace('type: email', 'type: emial'), 'bad.yaml');
    const refused = await preview(broken);
    expect(refused).toEqual(await cli(['validate', broken], {}));
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(/bad\.yaml:32: .*templates\.team\.text/)]);
  });

  it('is refused if a template fails with this context, with file and line', async () => {
    const { code, stdout, stderr } = await preview(
      put(FILE.replace('total | times: 2', 'total | date: order, zone'), 'fails.yaml'),
      ...['--context', JSON.stringify({ total: 1, order: '%Y', zone: 'Mars/Base' })],
    );
    expect([code, stdout, stderr]).toEqual([
      ...[1, ''],
      expect.stringMatching(/fails\.yaml:42: notification acme\/shop\/web\/failed\/Tell: templates\.mail\.text: /),
    ]);
  });

  it('ends a template that never ends', async () => {
    const loop = '{% for a in (1..99999) %}{% for b in (1..99999) %}{{ b | append: a }}{% endfor %}{% endfor %}';
    const { code, stderr } = await preview(put(FILE.replace('{{ total | times: 2 }}', loop), 'loop.yaml'));
    expect([code, stderr]).toEqual([1, expect.stringMatching(/loop\.yaml:42: .*templates\.mail\.text: The /)]);
  });

  it('is refused if a channel has an unknown setting, even if its value is a reference', async () => {
    const unknown = put(FILE.replace('webhook_url:', 'url:'), 'unknown.yaml');
    expect((await preview(unknown)).stderr).toMatch(
      /unknown\.yaml:6: channel acme\/team: config\.url: is not a setting of this channel type/,
    );
  });

  it('is refused by validate and preview if a room post uses the user', async () => {
    const room = put(FILE.replace('{{ event.name }}: {{ order }}', 'Hi {{ user.first_name }}'), 'room.yaml');
    const refused = await cli(['validate', room], {});
    expect(refused.stderr).toMatch(/room\.yaml:32: .*Confirm: templates\.team\.text: uses user, but one post/);
    expect((await preview(room)).stderr).toBe(refused.stderr);
  });
});
