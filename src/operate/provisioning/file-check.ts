import type { Type } from '@nestjs/common';
import { Ajv } from 'ajv';
import type { ErrorObject } from 'ajv';
import { LineCounter, parseDocument } from 'yaml';
import type { YAMLParseError } from 'yaml';
import { suggest, unknownField } from '../../platform/field/error/closest.js';
import { NOT_AN_EMAIL, isEmailAddress } from '../../platform/field/email.js';
import { fieldError } from '../../platform/field/error/field-error.js';
import type { FieldError } from '../../platform/field/error/field-error.js';
import { lineIn, pathText } from '../../platform/field/yaml-path.js';
import { checkFields } from '../../platform/http/body/check-fields.js';
import { CreateApplicationDto } from '../../api/application/application.dto.js';
import { CreateCategoryDto } from '../../api/category/category.dto.js';
import { CreateChannelDto } from '../../api/channel/channel.dto.js';
import { CreateEventDto } from '../../api/event/event.dto.js';
import { FragmentDto } from '../../api/layout/layout.dto.js';
import { CreateNotificationDto } from '../../api/notification/notification.dto.js';
import { CreateOrganizationDto } from '../../api/organization/organization.dto.js';
import { CreateProjectDto } from '../../api/project/project.dto.js';
import { ProvisioningError, provisioningSchema } from './file.js';
import type { MemberEntry, ProvisioningFile } from './file.js';
import { valueAt } from './problem/file-path.js';
import type { FilePath } from './problem/file-path.js';
import { FileProblems } from './problem/file-problems.js';
import type { FileProblem } from './problem/file-problems.js';
import { removeInvalid } from './problem/remove-invalid.js';

// Import this file only when there is a file to check: Ajv and the compiled schema are 8% of the CPU time of a start.

const SCHEMA_ID = 'urn:carillon:provisioning';
/** Without its invalid fields an entry may lack a required one. */
const MAX_ROUNDS = 5;

/** Ajv copies all errors for each new one: 20,000 take 0.5 s, 200,000 take minutes. */
const MAX_VALUES = 20_000;

const ajv = ajvFor({ allErrors: true });
const validate = ajv.compile<ProvisioningFile>(provisioningSchema);
let validateFirst: typeof validate | undefined;

function ajvFor(options: { allErrors: boolean }): Ajv {
  const made = new Ajv({ ...options, allowUnionTypes: true, verbose: true });
  made.addFormat('email-address', isEmailAddress);
  return made;
}

/** Of a large file only the first error is found: nobody may keep the process busy with hundreds of thousands. */
function validatorFor(value: unknown): typeof validate {
  if (!hasMoreValues(value, MAX_VALUES)) return validate;
  return (validateFirst ??= ajvFor({ allErrors: false }).compile<ProvisioningFile>(provisioningSchema));
}

function hasMoreValues(root: unknown, most: number): boolean {
  const open = [root];
  for (let count = 0; open.length > 0;) {
    const value = open.pop();
    if (typeof value !== 'object' || value === null) continue;
    const inside: unknown[] = Object.values(value);
    if ((count += inside.length) > most) return true;
    for (const each of inside) open.push(each);
  }
  return false;
}

interface CheckedFile {
  /** Has the shape of the schema. Entries that have another shape are among the problems, and are left out here. */
  file: ProvisioningFile;
  problems: FileProblems;
}

/** Parses the YAML text and validates it against the schema. `name`: the file in problems. */
export function readProvisioningFile(text: string, name: string | null = null): CheckedFile {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const [error] = document.errors;
  // The other errors mostly follow from the first one.
  if (error) throw new ProvisioningError([syntaxError(error, lines, name)]);
  const value: unknown = document.toJS({ maxAliasCount: 100 });
  const problems = new FileProblems(value, (path) => lineIn(document, lines, path), name);
  return { file: checkShape(value, problems), problems };
}

/** Validates a value against the schema. Reports its errors, and removes the entries that have them. */
export function checkShape(value: unknown, problems: FileProblems): ProvisioningFile {
  const isValid = validatorFor(value);
  for (let round = 0; !isValid(value); round++) {
    // The errors inside the branches of an `anyOf` are reported too, so the error of the `anyOf` itself adds nothing.
    const errors = (isValid.errors ?? []).filter(({ keyword }) => keyword !== 'anyOf');
    if (round === 0) {
      for (const error of errors) problems.report({ ...shapeProblem(error, value), isShape: true });
      problems.keepWritten();
    }
    const isLeft = removeInvalid(
      value,
      errors.map((error) => shapeProblem(error, value).path),
      problems,
    );
    if (!isLeft || round === MAX_ROUNDS) problems.refuse();
  }
  return value;
}

function syntaxError({ message, pos }: YAMLParseError, lines: LineCounter, name: string | null): string {
  const { line } = lines.linePos(pos[0]);
  const sentence = message.split('\n')[0]!.replace(/ at line \d+, column \d+:?$/, '');
  return `${name === null ? 'line ' : `${name}:`}${line}: ${sentence}`;
}

let checkMember: ReturnType<typeof ajv.compile> | undefined;

/** Validates a member of a list by itself. Returns the member, or the problem. */
export function checkEntry(value: unknown): MemberEntry | { problem: string } {
  checkMember ??= ajv.compile({ $ref: `${SCHEMA_ID}#/definitions/member` });
  if (!checkMember(value)) return { problem: checkMember.errors!.map(entryProblem).join('; ') };
  return hasNul(value) ? { problem: 'must not hold a NUL character' } : (value as MemberEntry);
}

/** PostgreSQL cannot store NUL. */
export const hasNul = (value: unknown): boolean => JSON.stringify(value).includes('\\u0000');

const unknownOf = ({ params }: ErrorObject) => (params as { additionalProperty?: string }).additionalProperty;
const missingOf = ({ params }: ErrorObject) => (params as { missingProperty?: string }).missingProperty;

function notOneOf(value: unknown, allowed: unknown[]): string {
  const names = allowed.map(String);
  return `is not one of the allowed values${suggest(String(value), names)}`;
}

/** The steps of a JSON pointer. A number is an index where the value is a list. */
function stepsIn(value: unknown, pointer: string): FilePath {
  const path: (string | number)[] = [];
  for (const step of pointer.split('/').slice(1)) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    path.push(Array.isArray(valueAt(value, path)) ? Number(key) : key);
  }
  return path;
}

function shapeProblem(error: ErrorObject, root: unknown): FileProblem {
  const path = stepsIn(root, error.instancePath);
  const name = unknownOf(error) ?? missingOf(error);
  if (name !== undefined) return { path: [...path, name], ...shapeError(error) };
  return { path, ...(errorOfHttp(path, error.data) ?? shapeError(error)) };
}

/** The bodies that create the entries of these lists over HTTP. */
const BODIES: Record<string, Type> = {
  organizations: CreateOrganizationDto,
  channels: CreateChannelDto,
  layouts: FragmentDto,
  partials: FragmentDto,
  projects: CreateProjectDto,
  categories: CreateCategoryDto,
  applications: CreateApplicationDto,
  events: CreateEventDto,
  notifications: CreateNotificationDto,
};

/** What HTTP says about such a value of a field; undefined: it knows no such rule. */
function errorOfHttp(path: FilePath, value: unknown): FieldError | undefined {
  const [list, , field] = path.slice(-3);
  const body = BODIES[String(list)];
  return body && typeof field === 'string' ? checkFields(body, { [field]: value })[field]?.[0] : undefined;
}

function shapeError(error: ErrorObject): FieldError {
  const { keyword, message, parentSchema, data, params } = error;
  if (keyword === 'additionalProperties') {
    const known = Object.keys((parentSchema as { properties?: object }).properties ?? {});
    return unknownField(unknownOf(error)!, known);
  }
  if (keyword === 'required') return fieldError('required', 'is required');
  if (keyword === 'enum')
    return fieldError('unknown_value', notOneOf(data, (params as { allowedValues: unknown[] }).allowedValues));
  if (keyword === 'format') return fieldError('invalid_format', NOT_AN_EMAIL);
  return fieldError(keyword === 'type' ? 'invalid_type' : 'invalid_format', message ?? 'is not valid');
}

/** One entry by itself has no file around it. */
function entryProblem(error: ErrorObject): string {
  const { path, sentence } = shapeProblem(error, undefined);
  return `${pathText(path.map((step) => (/^\d+$/.test(`${step}`) ? Number(step) : step))) || 'file'}: ${sentence}`;
}
