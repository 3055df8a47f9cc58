import { isMap, isNode, isScalar } from 'yaml';
import type { Document, LineCounter } from 'yaml';

/** Leads from the root of a YAML file to a value: `['organizations', 0, 'channels', 1, 'config', 'url']`. */
export type YamlPath = readonly (string | number)[];

/** As the API names fields: `organizations[0].channels[1].config.url`. */
export function pathText(path: YamlPath): string {
  return path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
    .join('')
    .replace(/^\./, '');
}

/** The line of a value, or of the nearest one that the text has; null if it comes from elsewhere, such as an alias. */
export function lineIn(document: Document, lines: LineCounter, path: YamlPath): number | null {
  for (let length = path.length; length >= 0; length--) {
    const parent = document.getIn(path.slice(0, length - 1), true);
    const pair = isMap(parent) && parent.items.find(({ key }) => isScalar(key) && key.value === path[length - 1]);
    const value = document.getIn(path.slice(0, length), true);
    const node = (pair || null)?.key ?? value;
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
  }
  return null;
}
