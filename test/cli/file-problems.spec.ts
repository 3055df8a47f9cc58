import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestApp } from '../support/app/app.js';
import { cli } from '../support/app/cli.js';

let app: TestApp;
let env: Record<string, string>;

beforeAll(async () => {
  app = await TestApp.start();
  env = { DATABASE_URL: app.databaseUrl };
});
afterAll(() => app.stop());

const MANY = `organizations:
  - slug: many
    name: Many
    time_zone: Mars/Base
    colour: red
    channels:
      - { slug: mail, name: Mail, type: email, config: { host: h.test, port: many } }
      - { slug: hook, name: Hook, type: webhook, config: { url: "https://h.test/", secret: { env: NOT_SET } } }
      - { slug: log, name: Log, type: log }
      - { slug: nameless, type: log }
      - { slug: lost, name: Lost, type: log, fallback: nowhere }
    users:
      - { email: ann@many.test, addresses: [{ name: phone, value: "12" }] }
      - { email: bob@many.test, preferences: { channels: { pigeon: off } } }
    projects:
      - slug: shop
        name: Shop
        distribution_lists:
          - name: Staff
            members:
              - ann@many.test
              - { email: bob@many.test, channel: pigeon }
        applications:
          - slug: web
            name: Web
            status_webhook: { url: "ftp://h.test/", secret: { file: not-there.txt } }
            events:
              - slug: paid
                name: Paid
                category: none
                notifications:
                  - name: Bad
                    when: "a =="
                    distribution_list: Staff
                    templates:
                      - channel: log
                        subject: "{% if %}"
                        text: hi
                  - name: Unknown
                    distribution_lists: [Nobody]
                    templates:
                      - { channel: log, text: hi }
                      - { channel: pigeon, text: hi }
                      - { channel: mail, text: not to blame }
                      - { channel: nameless, text: not to blame }
              - { slug: paid, name: Again }
`;

it('reports every mistake of a file at once, with its file and line', async () => {
  const { code, stderr } = await cli(['apply', 'FILE'], env, MANY);
  expect(code).toBe(1);
  const lines = stderr.trim().split('\n');
  expect(lines.map((line) => line.replace(/^(carillon: )?\S*file\.yaml:/, ''))).toEqual([
    expect.stringMatching(/^4: organization many: time_zone: must be the name of a time zone/),
    expect.stringMatching(/^5: organizations\[0\]\.colour: is not a known field/),
    '7: channel many/mail: config.port: must be a whole number from 1 to 65535',
    '7: channel many/mail: config.from: is required',
    '8: channel many/hook: config.secret: needs the environment variable NOT_SET: set it',
    '10: organizations[0].channels[3].name: is required',
    '11: channel many/lost: fallback: "nowhere" is not another channel of the project or the organization',
    expect.stringMatching(
      /^13: user many\/ann@many.test: addresses.phone.value: must be an international phone number/,
    ),
    expect.stringMatching(/^14: user many\/bob@many.test: preferences.channels.pigeon: is not a channel type/),
    '22: distribution list many/shop/Staff: members.bob@many.test.channel: there is no channel pigeon',
    '26: application many/shop/web: status_webhook.secret: needs the file not-there.txt, but it cannot be read',
    '26: application many/shop/web: status_webhook.url: must be a URL that starts with http:// or https://',
    '30: event many/shop/web/paid: category: there is no category none in the project',
    expect.stringMatching(/^33: notification many\/shop\/web\/paid\/Bad: when: This is not a valid JMESPath/),
    expect.stringMatching(/^37: notification many\/shop\/web\/paid\/Bad: templates.log.subject: invalid value/),
    '40: notification many/shop/web/paid/Unknown: distribution_lists: there is no list Nobody in the project',
    expect.stringMatching(/^43: notification many\/shop\/web\/paid\/Unknown: templates.pigeon: there is no channel/),
    '46: event many/shop/web/paid: is listed twice',
  ]);
});

it('reports only the first mistake of a file that is not YAML', async () => {
  const { code, stderr } = await cli(['apply', 'FILE'], env, 'organizations:\n  - slug: x\n   name: [\n  }: ]');
  expect([code, stderr.trim().split('\n')]).toEqual([1, [expect.stringMatching(/^carillon: \S+file\.yaml:3: \w/)]]);
});

describe('validate', () => {
  it('finds the mistakes of a file without a database, a network and the values of secrets', async () => {
    const offline = {
      DATABASE_URL: 'postgresql://127.0.0.1:1/none',
      CARILLON_URL: 'http://127.0.0.1:1',
      CARILLON_KEY: 'k',
    };
    const { code, stdout, stderr } = await cli(['validate', 'FILE'], offline, MANY);
    expect([code, stdout]).toEqual([1, '']);
    const lines = stderr
      .trim()
      .split('\n')
      .map((line) => line.replace(/^(carillon: |warning: )?\S*file\.yaml:/, '$1'));
    const numbersOf = (found: string[]) => found.map((line) => Number(/\d+/.exec(line)![0]));
    const warnings = lines.filter((line) => line.startsWith('warning: '));
    expect(numbersOf(lines.filter((line) => !warnings.includes(line)))).toEqual([
      4, 5, 7, 7, 10, 13, 26, 26, 33, 37, 46,
    ]);
    expect(numbersOf(warnings)).toEqual(expect.arrayContaining([11, 22, 30, 40, 43]));
  });

  it('accepts a file that can be applied, and says so', async () => {
    const file = `organizations: [{ slug: x, name: X, time_zone: europe/rome, channels: [{ slug: h, name: H, type: webhook, config: { url: "https://h.test/", secret: { env: NOT_SET } } }] }]`;
    expect(await cli(['validate', 'FILE'], {}, file)).toEqual({ code: 0, stdout: 'valid\n', stderr: '' });
    const { stdout } = await cli(['validate', 'FILE', '--json'], {}, file);
    expect(JSON.parse(stdout)).toEqual({ valid: true, warnings: [] });
  });
});
