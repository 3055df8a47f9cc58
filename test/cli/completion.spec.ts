import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Command } from 'commander';
import { createProgram } from '../../src/operate/cli/command/program.js';
import { cli } from '../support/app/cli.js';
import { createFolder } from '../support/folder.js';

const folder = createFolder();
const scripts: Record<string, string> = {};
beforeAll(async () => {
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { code, stdout } = await cli(['completion', shell], {});
    expect(code).toBe(0);
    writeFileSync(join(folder.path, shell), (scripts[shell] = stdout));
  }
});
afterAll(() => folder.remove());

const has = (shell: string) => {
  try {
    execFileSync(shell, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};
/** What bash offers after these words; the last one is being typed. */
function offered(...words: string[]): string[] {
  const script = `
    source ${join(folder.path, 'bash')}
    COMP_WORDS=(carillon "$@")
    COMP_CWORD=$#
    _carillon
    printf '%s\\n' "\${COMPREPLY[@]}"`;
  const output = execFileSync('bash', ['-c', script, 'bash', ...words], { cwd: folder.path, encoding: 'utf8' });
  return output.split('\n').filter(Boolean);
}

const walk = (command: Command, path: string[] = []): { command: Command; path: string[] }[] => [
  { command, path },
  ...command.commands.flatMap((child) => walk(child, [...path, child.name()])),
];
const PLACES = walk(createProgram());

describe('completion in bash', () => {
  it('offers the commands and the options of every command', () => {
    for (const { command, path } of PLACES) {
      const names = command.commands.map((child) => child.name());
      if (names.length > 0) expect([path, offered(...path, '')]).toEqual([path, names]);
      const options = command.options.filter(({ hidden }) => !hidden).map(({ long }) => long);
      expect([path, offered(...path, '--')]).toEqual([path, [...options, '--help']]);
    }
  });

  it('completes the word that is being typed, after options and their values', () => {
    expect(offered('tri')).toEqual(['trigger']);
    expect(offered('--url', 'key', 'us')).toEqual(['user']);
    expect(offered('key', '--org', 'list', 'cr')).toEqual(['create']);
    expect(offered('trigger', 'acme/shop/web/order-paid', '--limit')).toEqual(['--limit-to']);
  });

  it('offers the values of options and arguments that have some, and files for others', () => {
    expect(offered('trigger', 'x', '--priority', '')).toEqual(['critical', 'normal', 'bulk']);
    expect(offered('completion', '')).toEqual(['bash', 'zsh', 'fish']);
    expect(offered('apply', '')).toEqual([]);
    expect(offered('trigger', 'x', '--context', '--')).toEqual([]);
    expect(scripts.bash).toContain('complete -o default -F _carillon carillon');
  });
});

describe('completion in zsh and fish', () => {
  it('has no syntax error, where the shell is installed', () => {
    if (has('zsh')) execFileSync('zsh', ['-n', join(folder.path, 'zsh')]);
    if (has('fish')) execFileSync('fish', ['--no-execute', join(folder.path, 'fish')]);
  });

  (has('fish') ? it : it.skip)('offers the same words in fish', () => {
    const inFish = (line: string) => {
      const script = `source ${join(folder.path, 'fish')}; complete -C ${JSON.stringify(line)}`;
      const lines = execFileSync('fish', ['--no-config', '-c', script], { cwd: folder.path, encoding: 'utf8' }).split(
        '\n',
      );
      return lines.filter(Boolean).map((each) => each.split('\t')[0]);
    };
    expect(inFish('carillon tri')).toEqual(['trigger']);
    expect(inFish('carillon --url key us')).toEqual(['user']);
    expect(inFish('carillon trigger x --priority ')).toEqual(['bulk', 'critical', 'normal']);
    expect(inFish('carillon trigger x --limit')).toEqual(['--limit-to']);
  });

  it('names every command and option', () => {
    for (const { command, path } of PLACES)
      for (const option of command.options.filter(({ hidden }) => !hidden)) {
        const name = option.long!.slice(2);
        expect(scripts.fish).toContain(`complete -c carillon -n '__carillon_at \\'${path.join(' ')}\\'' -l ${name} `);
        expect(scripts.zsh).toMatch(new RegExp(`\\('${path.join(' ')}'\\) offered=\\(.*'--${name}:`));
      }
  });

  it('closes every quote', () => {
    // Outside of quotes nothing is left that a shell would expand by mistake.
    const [zsh, fish] = [scripts.zsh!.replaceAll(/'[^']*'/g, ''), scripts.fish!.replaceAll(/'(\\.|[^'\\])*'/g, '')];
    expect(zsh).not.toContain("'");
    expect(fish).not.toContain("'");
  });
});

it('knows for each option whether it takes a value, in all commands alike', () => {
  const options = PLACES.flatMap(({ command }) => command.options).map(({ long, required, optional }) => ({
    long,
    takesValue: required || optional,
  }));
  const arities = new Map<string | undefined, Set<boolean>>();
  for (const { long, takesValue } of options) arities.set(long, (arities.get(long) ?? new Set()).add(takesValue));
  expect([...arities].filter(([, kinds]) => kinds.size > 1)).toEqual([]);
});
