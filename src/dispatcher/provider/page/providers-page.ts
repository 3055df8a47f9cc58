import { parse } from 'yaml';
import { code, table } from './markdown.js';
import { addressOf, providerSection, type WrittenProvider } from './provider-section.js';
import { reportKinds } from './reports-of.js';

const HEAD = `# Providers

Made from the provider files in \`src/dispatcher/provider/files/\` by \`npm run contract\`: change those. Each was checked against the documentation of its provider, not against the
provider itself. [provider-files.md](provider-files.md) says how to read and write such a file, and \`carillon provider describe\` prints the same about a file of your own.`;

/** The page about all built-in files. */
export function providersPage(providers: readonly WrittenProvider[]): string {
  const sorted = [...providers].sort((a, b) => (a.provider.type < b.provider.type ? -1 : 1));
  return `${[HEAD, overviewOf(sorted), ...sorted.map(providerSection)].join('\n\n')}\n`;
}

const overviewOf = (providers: readonly WrittenProvider[]): string =>
  table(
    ['type', 'reaches', 'lines', 'outcomes', 'examples', 'reports', 'check', 'facts from'],
    providers.map(({ provider, text }) => {
      const { type, label, outcomes, examples, test, documentation } = provider;
      const described = provider.reports && 'examples' in provider.reports ? provider.reports.examples : [];
      const { reports, checked } = parse(text) as { reports?: unknown; checked?: string };
      return [
        `[${code(type)}](#${anchorOf(`${label} (${type})`)})`,
        addressOf(provider),
        String(text.trimEnd().split('\n').length),
        String(outcomes.length),
        String([examples, test?.examples ?? [], described].flat().length),
        reportKinds(reports).join(', ') || 'none',
        test ? (test.isCharged ? 'yes, charged' : 'yes') : 'no',
        documentation === null
          ? 'none'
          : `[${new URL(documentation).host}](${documentation})${checked === undefined ? '' : `, ${checked}`}`,
      ];
    }),
  );

/** As GitHub makes them from headings. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
