import { Ajv } from 'ajv';
import type { ErrorObject } from 'ajv';
import { LineCounter, isMap, isNode, isScalar, parseDocument } from 'yaml';
import type { Document } from 'yaml';
import { suggest, unknownField } from '../../platform/field/error/closest.js';
import { NOT_AN_EMAIL, isEmailAddress } from '../../platform/field/email.js';
import { MAX_PROBLEMS, ProvisioningError, provisioningSchema } from './file.js';
import type { MemberEntry, ProvisioningFile, UserEntry } from './file.js';

// Import this file only when there is a file to check: Ajv and the compiled schema are 8% of the CPU time of a start.

const SCHEMA_ID = 'urn:carillon:provisioning';

const ajv = new Ajv({ allErrors: true, allowUnionTypes: true, verbose: true });
ajv.addFormat('email-address', isEmailAddress);
const validate = ajv.compile<ProvisioningFile>(provisioningSchema);

/** Parses the YAML text and validates it against the schema. */
export function readProvisioningFile(text: string): ProvisioningFile {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  if (document.errors.length > 0)
    throw new ProvisioningError(document.errors.map(({ message }) => message.split('\n')[0]!));
  const value: unknown = document.toJS({ maxAliasCount: 100 });
  if (validate(value)) return value;
  // The errors inside the branches of an `anyOf` are reported too, so the error of the `anyOf` itself adds nothing.
  const errors = (validate.errors ?? []).filter(({ keyword }) => keyword !== 'anyOf');
  const problems = new Set<string>();
  for (const error of errors) {
    if (problems.size === MAX_PROBLEMS) break;
    problems.add(`${placeIn(document, lines, error)}${problem(error)}`);
  }
  throw new ProvisioningError([...problems]);
}

interface Entries {
  user: UserEntry;
  member: MemberEntry;
}

const entryChecks = new Map<string, ReturnType<typeof ajv.compile>>();

/** Validates one entry by itself. Returns the entry, or the problem. */
export function checkEntry<Name extends keyof Entries>(
  definition: Name,
  value: unknown,
): Entries[Name] | { problem: string } {
  const check = entryChecks.get(definition) ?? ajv.compile({ $ref: `${SCHEMA_ID}#/definitions/${definition}` });
  entryChecks.set(definition, check);
  if (!check(value)) return { problem: check.errors!.map(problem).join('; ') };
  // PostgreSQL cannot store NUL.
  if (JSON.stringify(value).includes('\\u0000')) return { problem: 'must not hold a NUL character' };
  return value as Entries[Name];
}

const stepsOf = ({ instancePath }: ErrorObject) => instancePath.split('/').slice(1);
const unknownOf = ({ params }: ErrorObject) => (params as { additionalProperty?: string }).additionalProperty;

/** `line 7: `, or nothing if the value comes from elsewhere, such as an alias. */
function placeIn(document: Document, lines: LineCounter, error: ErrorObject): string {
  const value = document.getIn(stepsOf(error), true);
  const unknown = unknownOf(error);
  const key =
    isMap(value) && value.items.map((pair) => pair.key).find((each) => isScalar(each) && each.value === unknown);
  const node = key || value;
  const start = isNode(node) ? node.range?.[0] : undefined;
  return start === undefined ? '' : `line ${lines.linePos(start).line}: `;
}

function notOneOf(value: unknown, allowed: unknown[]): string {
  const names = allowed.map(String);
  return `is not one of the allowed values${suggest(String(value), names)}`;
}

function problem(error: ErrorObject): string {
  const { keyword, message, parentSchema, data, params } = error;
  const steps = stepsOf(error);
  const place =
    steps
      .map((step) => (/^\d+$/.test(step) ? `[${step}]` : `.${step}`))
      .join('')
      .replace(/^\./, '') || 'file';
  const within = steps.length === 0 ? '' : `${place}.`;
  if (keyword === 'additionalProperties') {
    const name = unknownOf(error)!;
    const known = Object.keys((parentSchema as { properties?: object }).properties ?? {});
    return `${within}${name}: ${unknownField(name, known).sentence}`;
  }
  if (keyword === 'required') return `${within}${(params as { missingProperty: string }).missingProperty}: is required`;
  if (keyword === 'enum') return `${place}: ${notOneOf(data, (params as { allowedValues: unknown[] }).allowedValues)}`;
  if (keyword === 'format') return `${place}: ${NOT_AN_EMAIL}`;
  return `${place}: ${message ?? 'is not valid'}`;
}
