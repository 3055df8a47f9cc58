import { expect, it } from '@jest/globals';
import { answerOf } from '../answer/answer.js';
import { secretsInUrl } from './secrets-in-url.js';

const SLACK = 'https://hooks.slack.test/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX';
const WORKFLOW =
  'https://prod-1.westus.logic.azure.com:443/workflows/0123456789abcdef0123456789abcdef/triggers/manual/paths/invoke?api-version=2016-06-01&sv=1.0&sig=a%2Bb-CDEFGHIJKLMNOPQRSTUVWXYZ';

it.each([
  [SLACK, SLACK, '***'],
  [
    SLACK,
    `no ${SLACK.replaceAll('/', '\\/')}`,
    'no https:\\/\\/hooks.slack.test\\/services\\/T00000000\\/B00000000\\/***',
  ],
  [SLACK, 'POST /services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX: no_service', 'POST ***: no_service'],
  [SLACK, 'services are down', 'services are down'],
  [WORKFLOW, `POST ${WORKFLOW}`, 'POST ***'],
  [WORKFLOW, `POST ${new URL(WORKFLOW).href}`, 'POST ***'],
  [WORKFLOW, 'the workflow 0123456789abcdef0123456789abcdef', 'the workflow ***'],
  [WORKFLOW, 'sig a%2Bb-CDEFGHIJKLMNOPQRSTUVWXYZ', 'sig ***'],
  [WORKFLOW, 'sig a+b-CDEFGHIJKLMNOPQRSTUVWXYZ', 'sig ***'],
  [WORKFLOW, 'the manual of workflows, version 1.0', 'the manual of workflows, version 1.0'],
  ['https://chat.test/', 'GET / of https://chat.test/', 'GET / of ***'],
  ['not a url', 'not a url', '***'],
])('of %p, %p shows %p', (url, answer, shown) => {
  expect(answerOf(answer, secretsInUrl(url))).toBe(shown);
});
