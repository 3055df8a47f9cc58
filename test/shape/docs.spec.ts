import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { root } from '../../src/platform/config/root.js';

const documents = ['.', 'docs', 'docs/decisions', 'clients/typescript', 'clients/inbox', 'bench/report']
  .flatMap((folder) => readdirSync(join(root, folder)).map((file) => join(folder, file)))
  .filter((file) => file.endsWith('.md'));

const textOf = (file: string) => readFileSync(join(root, file), 'utf8');

/** The anchors of a document, as GitHub makes them from headings. */
const anchorsOf = (file: string) =>
  [...textOf(file).matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/ /g, '-'),
  );

describe.each(documents)('%s', (file) => {
  it('links only to files and headings that exist', () => {
    const links = [...textOf(file).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link!);
    const broken = links
      .filter((link) => !/^[a-z]+:/.test(link))
      .filter((link) => {
        const [path = '', anchor] = link.split('#');
        const target = path === '' ? file : join(dirname(file), path);
        if (!existsSync(join(root, target))) return true;
        return anchor !== undefined && !anchorsOf(target).includes(anchor);
      });
    expect(broken).toEqual([]);
  });

  it('names only source files and folders that exist', () => {
    const named = [...textOf(file).matchAll(/`((?:src\/)?[\w-]+(?:\/[\w.-]+)*(?:\.ts|\/))`/g)].map(([, path]) => path!);
    const tops = readdirSync(join(root, 'src'));
    const missing = named
      .filter((path) => path.startsWith('src/') || tops.includes(path.split('/')[0]!))
      .filter((path) => !['.', 'src', dirname(file)].some((folder) => existsSync(join(root, folder, path))));
    expect(missing).toEqual([]);
  });
});
