import { describe, expect, it } from '@jest/globals';
import { inspectTemplate } from '../template/template-fields.js';
import type { TemplateParts } from '../template/template.js';
import { checkRoomPost } from './template-mode.js';

const check = (parts: TemplateParts) => checkRoomPost(inspectTemplate(parts).userParts);

describe('a post to a room', () => {
  it.each([
    ['a field of the user', '{{ user.first_name }}'],
    ['the user in a condition', '{% if user %}Hi{% endif %}'],
    ['a custom field, by its name in brackets', '{{ user["custom_fields"].team | upcase }}'],
  ])('cannot use %s', (_, text) => {
    expect(check({ text, subject: 'Paid' })).toEqual({
      text: [{ code: 'not_allowed', sentence: expect.stringContaining('per to person') }],
    });
  });

  it.each([
    ['the context and the names around it', '{{ order }} {{ users[0].name }} {{ event.name }} {{ channel.slug }}'],
    ['a variable of its own that is called user', '{% for user in users %}{{ user.name }}{% endfor %}'],
    ['the word', 'user'],
  ])('can use %s', (_, text) => {
    expect(check({ text })).toEqual({});
  });
});
