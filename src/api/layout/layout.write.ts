import type { Quotas } from '../../platform/config/quota.js';
import { lockRows } from '../../platform/database/transaction.js';
import type { Difference } from '../../platform/database/put-row.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { addTo, fieldError, hasErrors } from '../../platform/field/error/field-error.js';
import type { FieldErrors } from '../../platform/field/error/field-error.js';
import { inLanguageOfMessage } from '../../rules/template/mjml/mjml-to-html.js';
import type { TemplateReport } from '../../rules/template/template-fields.js';
import { keyErrors } from '../messages/key-errors.js';
import { projectKeys } from '../messages/project-keys.js';
import { renewRulesets } from '../notification/renew-ruleset.js';
import type { Excess } from '../notification/renew-ruleset.js';
import type { OwnerOfEither } from '../resource/owner.js';
import { put } from '../resource/put.js';
import type { Put } from '../resource/put.js';
import { allPartials, fragmentNames, nestingProblem, noFragment } from './fragments.js';
import type { FragmentKind } from './fragments.js';
import type { PutFragmentDto } from './layout.dto.js';
import { FIND_EVENTS_USING } from './layout.sql.js';

export interface FragmentContext {
  tx: Transaction;
  /** Of organizations without quotas of their own. */
  quotas: Quotas;
}

/**
 * Creates or replaces a layout or a partial. Then the caller calls `renewUsing`; after an error it rolls back. `report`: what these fields tell as a
 * template.
 */
export async function putFragment(
  context: FragmentContext,
  kind: FragmentKind,
  owner: OwnerOfEither,
  slug: string,
  body: PutFragmentDto,
  report: TemplateReport,
): Promise<Put> {
  const { tx } = context;
  const table = tableOf(tx, kind);
  const wanted = { ...fragmentSource(body, report), mjml: body.mjml || null };
  const errors = checkFragment(kind, body, report);
  const isNew = (await table.findFirst({ where: { ...owner, slug }, select: { id: true } })) === null;
  if (isNew) Object.assign(errors, await quotaErrors(context, owner.organizationId));
  const known = (await fragmentNames(tx, owner)).partials;
  const own = kind === 'partial' ? [slug] : [];
  for (const { part, name } of report.partials)
    if (![...own, ...known].includes(name)) (errors[part] ??= []).push(noFragment('partial', name, known));
  const ofMessages = await messageErrors(tx, kind, owner, report);
  if (hasErrors(errors) || hasErrors(ofMessages)) return { errors: { ...ofMessages, ...errors } };
  const messageKeys = [...new Set(report.keys.map(({ key }) => key))].sort();
  const partials = [...new Set(report.partials.map(({ name }) => name))].sort();
  const written = await put(table, owner, { slug }, { ...wanted, partials, messageKeys });
  const problem =
    kind === 'partial' ? nestingProblem(await allPartials(tx, owner.organizationId), slug, owner.projectId) : null;
  if (problem) return { errors: { [wanted.html ? 'html' : 'text']: [fieldError('conflict', problem)] } };
  // Of HTML that was converted, the source tells what has changed.
  const isShown = ({ field }: Difference) => !DERIVED.has(field) && !(field === 'html' && wanted.mjml);
  return { ...written, differences: written.differences.filter(isShown) };
}

/** Columns that say again what stands in the sources. */
const DERIVED: ReadonlySet<string> = new Set(['partials', 'messageKeys']);

/** Errors about messages that the project does not have. Those that it has stay until the end of the transaction. */
async function messageErrors(
  tx: Transaction,
  kind: FragmentKind,
  { projectId }: OwnerOfEither,
  { keys }: TemplateReport,
): Promise<FieldErrors> {
  if (keys.length === 0) return {};
  if (projectId === null) {
    const sentence = `uses messages, and these belong to a project: make it a ${kind} of the project, or let templates hand the text over`;
    return { [keys[0]!.part]: [fieldError('not_allowed', sentence)] };
  }
  return keyErrors(keys, await projectKeys(tx, projectId));
}

/** What is rendered: MJML as the HTML that it became. */
export function fragmentSource({ html, text }: PutFragmentDto, converted: Pick<TemplateReport, 'html'>) {
  const ofMjml = converted.html[''];
  return { html: ofMjml === undefined ? html || null : inLanguageOfMessage(ofMjml), text: text || null };
}

/** Deletes a layout or a partial that the caller has found to be unused, or to be replaced by another one. */
export async function removeFragment(tx: Transaction, kind: FragmentKind, id: number): Promise<void> {
  await tableOf(tx, kind).delete({ where: { id } });
}

/** Why a partial that was deleted must stay, or null: the one that takes its place may use others that use it. */
export async function removalProblem(
  tx: Transaction,
  kind: FragmentKind,
  { organizationId, projectId }: OwnerOfEither,
  slug: string,
): Promise<string | null> {
  if (kind === 'layout') return null;
  const problem = nestingProblem(await allPartials(tx, organizationId), slug, projectId);
  return (
    problem && `cannot be deleted: the organization's partial of this slug would take its place, and it ${problem}`
  );
}

/** Both models have the same columns. */
export const tableOf = (tx: Transaction, kind: FragmentKind): Transaction['layout'] =>
  kind === 'layout' ? tx.layout : (tx.partial as unknown as Transaction['layout']);

/** The errors that do not depend on what is stored. */
export function checkFragment(kind: FragmentKind, body: PutFragmentDto, report: TemplateReport): FieldErrors {
  const { html, text, mjml } = body;
  const errors: FieldErrors = {};
  const addError = addTo(errors);
  for (const [part, sentences] of Object.entries(report.problems))
    for (const sentence of sentences ?? []) addError(part, 'invalid_template', sentence);
  if (!html && !text && !mjml)
    addError('html', 'required', `needs html or text${kind === 'layout' ? ', or mjml' : ''}`);
  if (kind === 'partial' && mjml)
    addError('mjml', 'not_allowed', 'is only for layouts and templates: write the HTML of a partial as html');
  if (kind === 'partial') return errors;
  for (const part of ['html', 'text', 'mjml'] as const)
    if (body[part] && !hasErrors(errors) && !report.contentParts.includes(part))
      addError(part, 'required', 'must contain {{ content }}: the message of the template stands there');
  return errors;
}

async function quotaErrors({ tx, quotas }: FragmentContext, organizationId: number): Promise<FieldErrors> {
  await lockRows(tx, 'organizations', [organizationId], 'no key update');
  const own = await tx.organization.findUniqueOrThrow({ where: { id: organizationId }, select: { quotas: true } });
  const { layouts: most } = { ...quotas, ...(own.quotas as Partial<Quotas>) };
  const where = { organizationId };
  if ((await tx.layout.count({ where })) + (await tx.partial.count({ where })) < most) return {};
  const problem = `exceeds the organization's quota layouts, which is ${most}: delete a layout or a partial, or ask the operator for a higher quota`;
  return { slug: [fieldError('too_many', problem)] };
}

/**
 * Gives the events that use a layout or a partial a new ruleset, one statement each. Occurrences that were triggered before keep the one that they
 * have. Returns the first quota that the notifications of an event exceed, or null. Throws a 409 if more than `maxEvents` use it.
 */
export async function renewUsing(
  { tx, quotas }: FragmentContext,
  kind: FragmentKind,
  { organizationId, projectId }: OwnerOfEither,
  slug: string,
  maxEvents?: number,
): Promise<Excess | null> {
  const events = await tx.$queryRawUnsafe<{ id: number }[]>(FIND_EVENTS_USING, organizationId, projectId, kind, slug);
  const ids = events.map(({ id }) => id);
  return renewRulesets(tx, ids, quotas, maxEvents);
}
