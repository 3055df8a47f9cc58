import type { Client } from 'pg';
import type { Check } from '../../platform/database/check/check.js';
import { untranslatedIn } from '../../rules/language/messages.js';
import type { Messages } from '../../rules/language/messages.js';
import { NOT_TRANSLATED, translationGaps } from '../../rules/language/translation-gaps.js';
import type { TranslatedFrom } from '../../rules/language/translation-gaps.js';
import { withMjml } from '../../rules/template/mjml/convert-parts.js';
import type { ByLanguage } from '../../rules/template/mjml/convert-parts.js';
import type { TextParts, TranslatedParts } from '../../rules/template/template.js';
import { MESSAGES_OF_ALL, TRANSLATED_TEMPLATES } from './messages.sql.js';

interface TemplateRow extends Omit<TextParts, 'mjml'> {
  name: string;
  translations: NonNullable<TranslatedParts['translations']>;
  mjml: ByLanguage | null;
  from: TranslatedFrom | null;
}

/** The most templates and projects that are looked at, and the most that are named. */
const MAX_ROWS = 10_000;
const MAX_NAMED = 5;

/** The translations that are missing or outdated. They do no harm to the service, so it is well all the same. Empty: there are none. */
export async function translationsCheck(client: Client): Promise<Check[]> {
  const templates = await client.query<TemplateRow>(TRANSLATED_TEMPLATES, [MAX_ROWS]);
  const projects = await client.query<{ name: string; messages: Messages }>(MESSAGES_OF_ALL, [MAX_ROWS]);
  const gaps = [
    ...templates.rows.flatMap(({ name, mjml, from, ...stored }) => {
      const { translations, ...base } = withMjml(stored, mjml);
      return translationGaps(base, translations, from ?? {}).map(({ sentence }) => ({ name, sentence }));
    }),
    ...projects.rows.flatMap(({ name, messages }) =>
      untranslatedIn(messages).map(() => ({ name: `the messages of ${name}`, sentence: NOT_TRANSLATED })),
    ),
  ];
  if (templates.rows.length + projects.rows.length === 0) return [];
  const missing = gaps.filter(({ sentence }) => sentence === NOT_TRANSLATED).length;
  const names = [...new Set(gaps.map(({ name }) => name))];
  const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : '';
  const where = names.length > 0 ? `: ${names.slice(0, MAX_NAMED).join(', ')}${more}` : '';
  return [{ name: 'translations', ok: true, detail: `${missing} missing, ${gaps.length - missing} outdated${where}` }];
}
