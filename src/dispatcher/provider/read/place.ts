import { LineCounter, parseDocument } from 'yaml';
import type { Document } from 'yaml';
import { suggest } from '../../../platform/field/error/closest.js';
import { isObject } from '../../../platform/field/is-object.js';
import { lineIn, pathText, type YamlPath } from '../../../platform/field/yaml-path.js';

/** Why a provider file cannot be used, with the line. */
export class ProviderProblem extends Error {
  override name = 'ProviderProblem';
}

interface Source {
  /** The file in problems; null: a text without a name. */
  name: string | null;
  document: Document;
  lines: LineCounter;
}

/** A value of a provider file, which knows its line. */
export class FilePlace {
  private constructor(
    private readonly source: Source,
    readonly value: unknown,
    private readonly path: YamlPath,
  ) {}

  /** Parses YAML. Aliases are refused: a short text could become a huge value. */
  static parse(text: string, name: string | null): FilePlace {
    const lines = new LineCounter();
    const where = (line: number) => (name === null ? `line ${line}` : `${name}:${line}`);
    try {
      const document = parseDocument(text, { lineCounter: lines });
      const [error] = document.errors;
      if (error) {
        const sentence = error.message.split('\n')[0]!.replace(/ at line \d+, column \d+:?$/, '');
        throw new ProviderProblem(`${where(lines.linePos(error.pos[0]).line)}: ${sentence}`);
      }
      return new FilePlace({ name, document, lines }, document.toJS({ maxAliasCount: 0 }), []);
    } catch (error) {
      if (error instanceof ProviderProblem) throw error;
      throw new ProviderProblem(`${where(1)}: the file cannot be read: it has aliases, or is nested too deeply`);
    }
  }

  fail(sentence: string): never {
    const { name, document, lines } = this.source;
    const line = lineIn(document, lines, this.path) ?? 1;
    const field = pathText(this.path);
    throw new ProviderProblem(
      `${name === null ? `line ${line}` : `${name}:${line}`}: ${field === '' ? '' : `${field} `}${sentence}`,
    );
  }

  /** Null: there is no such key. */
  at(key: string | number): FilePlace | null {
    const value = (this.value as Record<string | number, unknown> | null)?.[key];
    return value === undefined ? null : new FilePlace(this.source, value, [...this.path, key]);
  }

  need(key: string): FilePlace {
    return this.at(key) ?? new FilePlace(this.source, undefined, [...this.path, key]).fail('is required');
  }

  /** A map with no other keys than these. */
  only(keys: readonly string[]): this {
    for (const [key, place] of this.entries()) {
      if (!keys.includes(key)) place.fail(`is not a known field${suggest(key, keys)}`);
    }
    return this;
  }

  entries(): [string, FilePlace][] {
    if (!isObject(this.value)) this.fail('must be a map');
    return Object.keys(this.value).map((key) => [key, this.at(key) ?? this.fail('must be a map')]);
  }

  items(): FilePlace[] {
    if (!Array.isArray(this.value)) this.fail('must be a list');
    return this.value.map((_, i) => this.at(i) ?? this.fail('must not have gaps'));
  }

  text(): string {
    return typeof this.value === 'string' && this.value !== '' ? this.value : this.fail('must be a text');
  }

  number(): number {
    return Number.isSafeInteger(this.value) ? (this.value as number) : this.fail('must be a whole number');
  }

  isTrue(): boolean {
    return typeof this.value === 'boolean' ? this.value : this.fail('must be true or false');
  }

  oneOf<const Name extends string>(names: readonly Name[]): Name {
    const found = names.find((name) => name === this.value);
    return found ?? this.fail(`is not one of the allowed values${suggest(String(this.value), names)}`);
  }

  /** Reports the problem of a function with the line of this value. */
  try<Made>(make: () => Made): Made {
    try {
      return make();
    } catch (error) {
      if (error instanceof ProviderProblem) throw error;
      return this.fail(`is not valid: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}
