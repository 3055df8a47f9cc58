import type { Frequency } from '../frequency/category-digests.js';

interface Words extends Record<Frequency, string> {
  /** `{count}` stands for the number of messages that are not shown. */
  more: string;
}

const EN: Words = { daily: 'Daily summary', weekly: 'Weekly summary', more: 'and {count} more' };

/** The texts of a digest of a category, in the languages of the pages for recipients. */
const WORDS: Readonly<Record<string, Words>> = {
  en: EN,
  de: { daily: 'Tägliche Zusammenfassung', weekly: 'Wöchentliche Zusammenfassung', more: 'und {count} weitere' },
  it: { daily: 'Riepilogo giornaliero', weekly: 'Riepilogo settimanale', more: 'e altri {count}' },
  fr: { daily: 'Résumé quotidien', weekly: 'Résumé hebdomadaire', more: 'et {count} autres' },
  es: { daily: 'Resumen diario', weekly: 'Resumen semanal', more: 'y {count} más' },
  pt: { daily: 'Resumo diário', weekly: 'Resumo semanal', more: 'e mais {count}' },
  nl: { daily: 'Dagelijks overzicht', weekly: 'Wekelijks overzicht', more: 'en nog {count}' },
  pl: { daily: 'Podsumowanie dnia', weekly: 'Podsumowanie tygodnia', more: 'i jeszcze {count}' },
  ja: { daily: '1日のまとめ', weekly: '1週間のまとめ', more: 'ほか{count}件' },
  ar: { daily: 'ملخص يومي', weekly: 'ملخص أسبوعي', more: 'و{count} أخرى' },
};

/** The words in the language of a locale such as `de-AT`, or in English, and that language. */
export function digestWords(locale: string): { language: string; words: Words } {
  const language = locale.split('-')[0]!.toLowerCase();
  const words = WORDS[language];
  return words ? { language, words } : { language: 'en', words: EN };
}
