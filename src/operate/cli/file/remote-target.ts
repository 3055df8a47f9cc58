import { fieldError } from '../../../platform/field/error/field-error.js';
import type { FieldErrors } from '../../../platform/field/error/field-error.js';
import { DELETIONS_DIFFER } from '../../provisioning/apply/change.js';
import { resolveReferences } from '../../provisioning/apply/references.js';
import { readProvisioningFile } from '../../provisioning/file-check.js';
import type { OrganizationEntry } from '../../provisioning/file.js';
import type { FileProblems } from '../../provisioning/problem/file-problems.js';
import { CommandError } from '../print/print.js';
import { RemoteClient, RemoteError } from '../remote/client.js';
import type { RemoteService } from '../remote/client.js';
import { folderOf } from './apply-target.js';
import { knownDispatchers } from './known-dispatchers.js';
import type { Applied, ApplyRun, ApplyTarget, FileSource } from './apply-target.js';

/** Longer than the service takes before it gives up. */
const TIMEOUT_MS = 60_000;
const MAX_NAMES = 100_000;

/** Applies the file over HTTP. The service gets it without references: they are resolved here. */
export function remoteTarget(service: RemoteService, source: FileSource): ApplyTarget {
  const { entry, problems } = readEntry(source);
  const client = new RemoteClient(service);
  return async (run) => {
    try {
      const { warnings, ...applied } = await send(client, entry, run);
      for (const { field, sentence } of warnings) problems.warn(entry, field === 'body' ? '' : field, sentence);
      return { ...applied, warnings: problems.warningLines() };
    } catch (error) {
      throw error instanceof RemoteError ? inFile(error, entry, problems) : error;
    }
  };
}

type Answer = Omit<Applied, 'warnings'> & { warnings: { field: string; sentence: string }[] };

function send(client: RemoteClient, entry: OrganizationEntry, run: ApplyRun): Promise<Answer> {
  const { dryRun, prune, namesAll, agreed } = run;
  const path = `/api/o/${encodeURIComponent(entry.slug)}/configuration/`;
  return client.send<Answer>(dryRun ? 'POST' : 'PUT', dryRun ? `${path}plan/` : path, {
    query: { prune: prune ? 1 : undefined, max_names: namesAll ? MAX_NAMES : undefined },
    ...(agreed?.version && { headers: { 'If-Match': agreed.version } }),
    body: entry,
    timeoutMs: TIMEOUT_MS,
  });
}

function readEntry(source: FileSource): { entry: OrganizationEntry; problems: FileProblems } {
  const { file, problems } = readProvisioningFile(source.text, source.name);
  resolveReferences(file, { env: source.env, folder: folderOf(source), dispatchers: knownDispatchers() }, problems);
  problems.refuse();
  const [entry, ...others] = file.organizations;
  if (!entry || others.length > 0)
    throw new CommandError(
      `a service takes a file with one organization, in one transaction: this file has ${file.organizations.length}`,
    );
  return { entry, problems };
}

/** The mistakes that the service found, with their lines in the file. */
function inFile(error: RemoteError, entry: OrganizationEntry, problems: FileProblems): Error {
  if (error.status === 412) return new CommandError(DELETIONS_DIFFER);
  const fields = Object.entries(error.errors);
  if (fields.length === 0) return new CommandError(error.detail);
  const errors = fields.map(([field, all]) => [field, all.map((sentence) => fieldError('conflict', sentence))]);
  problems.add(entry, Object.fromEntries(errors) as FieldErrors);
  try {
    problems.refuse();
  } catch (refusal) {
    return refusal as Error;
  }
  return error;
}
