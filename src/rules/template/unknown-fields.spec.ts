import { expect, it } from '@jest/globals';
import { inspectTemplate } from './template-fields.js';

const unknown = (text: string) => inspectTemplate({ text }).unknown.map(({ field }) => field);

it.each([
  ['{{ user.firstname }} {{ user["mail"] }}', ['user.firstname', 'user.mail']],
  ['{% if event.nmae %}{{ organization.title | default: "x" }}{% endif %}', ['event.nmae', 'organization.title']],
  ['{% assign u = user %}{{ u.nickname }}', ['user.nickname']],
  ['{{ user.first_name }} {{ user.custom_fields.any.thing }} {{ event.slug }} {{ organization.name }}', []],
  ['{{ order.user.nickname }} {{ user }} {{ user[order.key] }} {{ users.firstname }}', []],
])('finds the fields of %s that do not exist', (text, fields) => {
  expect(unknown(text)).toEqual(fields);
});

it('names the field that was probably meant, and the part', () => {
  expect(inspectTemplate({ subject: 'hi', text: '{{ user.firstname }}' }).unknown).toEqual([
    {
      part: 'text',
      field: 'user.firstname',
      sentence:
        'user.firstname does not exist, so it is always empty: did you mean first_name? Known: email, username, first_name, last_name, custom_fields, locale',
    },
  ]);
});
