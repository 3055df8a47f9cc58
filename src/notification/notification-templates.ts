import { isObject } from '../field/is-object.js';
import { invalid } from '../http/problem.js';
import type { FieldErrors } from '../http/problem.js';
import type { TemplateFields } from './put-notification.js';

const PARTS = ['subject', 'text', 'html', 'markdown'];
const LONGEST = 100_000;

/** The templates of a body, each checked field by field: class-validator's pipe looks at the first level only. */
export function readTemplates(templates: readonly unknown[]): TemplateFields[] {
  const errors: FieldErrors = {};
  const say = (place: string, sentence: string) => (errors[place] ??= []).push(sentence);
  const seen = new Set<string>();
  if (templates.length === 0) say('templates', 'must hold at least one');
  for (const [i, template] of templates.entries()) {
    const place = `templates[${i}]`;
    if (!isObject(template)) {
      say(place, 'must be an object');
      continue;
    }
    const { channel, ...parts } = template;
    if (typeof channel !== 'string' || channel === '') say(`${place}.channel`, 'must be the slug of a channel');
    else if (seen.has(channel)) say(`${place}.channel`, `is named twice: ${channel}`);
    else seen.add(channel);
    for (const [part, text] of Object.entries(parts)) {
      if (!PARTS.includes(part)) say(`${place}.${part}`, 'is not a known field');
      else if (text !== null && typeof text !== 'string') say(`${place}.${part}`, 'must be a text or null');
      else if (text !== null && text.length > LONGEST)
        say(`${place}.${part}`, `must have at most ${LONGEST} characters`);
    }
  }
  if (Object.keys(errors).length > 0) throw invalid(errors);
  return templates as TemplateFields[];
}
