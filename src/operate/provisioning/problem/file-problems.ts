import type { FieldError, FieldErrors } from '../../../platform/field/error/field-error.js';
import { fieldError } from '../../../platform/field/error/field-error.js';
import { ProvisioningError } from '../file.js';
import { pathText } from '../../../platform/field/yaml-path.js';
import { describePath, findPath, nameOf, stepsOf } from './file-path.js';
import type { FilePath } from './file-path.js';

/** One mistake in a configuration file. */
export interface FileProblem extends FieldError {
  path: FilePath;
  /** Whether the file does not have the shape that the schema describes. */
  isShape?: boolean;
}

/** Enough for one reading. The rest is found by the next run. */
const MAX_PROBLEMS = 100;
/** To find the place of one takes a walk through the file. */
const MAX_FOUND = 200;

/** A file with mistakes: all of them. */
export class FileError extends ProvisioningError {
  constructor(
    readonly found: readonly FileProblem[],
    lines: string[],
  ) {
    super(lines);
  }
}

/** Where a problem is in the text of a file; null: there is no text, or the value comes from elsewhere, such as an alias. */
type LineOf = (path: FilePath) => number | null;

/** Collects the mistakes of one file, so that an operator sees all of them at once. */
export class FileProblems {
  private readonly found: FileProblem[] = [];
  /** What is probably a mistake. */
  readonly warnings: FileProblem[] = [];
  /** Names of entries that are refused. Others that refer to them are not to blame. */
  private readonly broken = new Set<string>();
  /** Fields whose values could not be read. Nothing else is wrong with them. */
  private readonly unread = new Set<string>();
  /** Paths of entries in the file as it was written, after invalid entries were removed. */
  private written: { root: unknown; paths: ReadonlyMap<object, FilePath> } | null = null;

  constructor(
    private readonly root: unknown,
    private readonly lineOf: LineOf = () => null,
    /** Of the file; null: only the line is named. */
    private readonly name: string | null = null,
  ) {}

  get isEmpty(): boolean {
    return this.found.length === 0;
  }

  /** Whether something with such a path is refused. */
  has(isMeant: (path: FilePath) => boolean): boolean {
    return this.found.some(({ path }) => isMeant(path));
  }

  /** Adds the errors of one entry. */
  add(entry: object, errors: FieldErrors): void {
    if (this.found.length >= MAX_FOUND) return;
    const path = this.pathOf(entry);
    for (const [field, all] of Object.entries(errors))
      for (const error of all) this.report({ path: [...path, ...stepsOf(entry, field)], ...error });
  }

  /** The same of an entry that others refer to by its name. */
  addAll(entry: object, errors: FieldErrors): void {
    this.add(entry, errors);
    this.addBroken(nameOf(entry));
  }

  /** Adds one error of an entry, or of one of its fields. */
  addOne(entry: object, field: string, code: FieldError['code'], sentence: string): void {
    this.add(entry, { [field]: [fieldError(code, sentence)] });
  }

  /** Adds an error of a field whose value cannot be read. */
  addUnread(entry: object, field: string, sentence: string, code: FieldError['code'] = 'required'): void {
    this.addOne(entry, field, code, sentence);
    this.ignore(entry, field);
  }

  /** From now on, errors of this field are not added: its value is not known. */
  ignore(entry: object, field: string): void {
    if (this.found.length >= MAX_FOUND) return;
    this.unread.add(pathText([...this.pathOf(entry), ...stepsOf(entry, field)]));
  }

  report(problem: FileProblem): void {
    if (this.found.length >= MAX_FOUND) return;
    // That a field does not exist is true whatever its value is.
    const isUnread = problem.code !== 'unknown_field' && this.unread.has(pathText(problem.path));
    if (!this.isConsequence(problem) && !isUnread) this.found.push(problem);
  }

  /** From now on, an entry that refers to this name is not refused because it does not exist. */
  addBroken(name: string | null): void {
    if (name !== null) this.broken.add(name);
  }

  /** Remembers the file as it was written, before invalid entries are removed from it. */
  keepWritten(): void {
    const paths = new Map<object, FilePath>();
    const walk = (value: unknown, path: FilePath): void => {
      if (typeof value !== 'object' || value === null || paths.has(value)) return;
      paths.set(value, path);
      for (const [key, child] of Object.entries(value))
        walk(child, [...path, Array.isArray(value) ? Number(key) : key]);
    };
    walk(this.root, []);
    this.written = { root: structuredClone(this.root), paths };
  }

  /** Notes what is probably a mistake in an entry, or in one of its fields. */
  warn(entry: object, field: string, sentence: string): void {
    if (this.warnings.length >= MAX_PROBLEMS) return;
    const path = [...this.pathOf(entry), ...stepsOf(entry, field)];
    const isKnown = this.warnings.some((each) => each.sentence === sentence && pathText(each.path) === pathText(path));
    // A transaction that is run again finds everything again.
    if (!isKnown) this.warnings.push({ path, code: 'conflict', sentence });
  }

  warningLines(): string[] {
    return this.warnings.map((warning) => this.text(warning));
  }

  /** Throws if there are any. */
  refuse(): void {
    if (this.isEmpty) return;
    const line = ({ path }: FileProblem) => this.lineOf(path) ?? 0;
    const first = this.found.toSorted((a, b) => line(a) - line(b)).slice(0, MAX_PROBLEMS);
    throw new FileError(first, [...new Set(first.map((problem) => this.text(problem)))]);
  }

  /** As `acme.yaml:7: channel acme/mail: config.url: is required`. */
  text(problem: FileProblem): string {
    const { path, isShape, sentence } = problem;
    const root = this.written?.root ?? this.root;
    const where = isShape ? pathText(path) || 'file' : describePath(root, path);
    return `${this.placeOf(path)}${[where, sentence].filter(Boolean).join(': ')}`;
  }

  /** As `acme.yaml:7: `, or `line 7: `. */
  private placeOf(path: FilePath): string {
    const line = this.lineOf(path);
    if (line === null) return '';
    return this.name === null ? `line ${line}: ` : `${this.name}:${line}: `;
  }

  private pathOf(entry: object): FilePath {
    return this.written?.paths.get(entry) ?? findPath(this.root, entry);
  }

  private isConsequence({ code, sentence }: FileProblem): boolean {
    // A list of the names that exist may follow.
    const [subject = ''] = sentence.split(/[.:] /);
    return code === 'not_found' && [...this.broken].some((name) => subject.includes(name));
  }
}
