import { pipeline } from 'node:stream/promises';
import { ExportService } from '../provisioning/export/export.service.js';
import type { ListOwner } from '../provisioning/find.js';
import type { UserFileFormat } from '../provisioning/user-files/user-file-format.js';
import { writeWhole } from './print/write-whole.js';
import { remoteService } from './remote/options.js';
import type { RemoteOptions } from './remote/options.js';
import { withProvisioning } from './provisioning-services.js';

interface Target {
  /** File to write. Undefined: standard output. */
  out?: string;
}

export interface ExportOptions extends Target, RemoteOptions {
  org: string;
  people: boolean;
  json?: boolean;
}

export interface ExportUsersOptions extends Target, RemoteOptions {
  org: string;
  format: UserFileFormat;
  /** The same as the format NDJSON. */
  json?: boolean;
}

export async function exportOrganization(options: ExportOptions): Promise<void> {
  const { org, people, out, json } = options;
  const written = (parts: AsyncGenerator<string>) => (json ? asJson(parts) : parts);
  const service = remoteService(options);
  if (!service) return run(out, (exports) => written(exports.organization(org, { people })));
  const { remoteExport } = await import('./file/remote-export.js');
  return writeTo(out, written(remoteExport(service, { org, people })));
}

export async function exportUsers(options: ExportUsersOptions): Promise<void> {
  const { org, out } = options;
  const service = remoteService(options);
  if (!service) return run(out, (exports) => exports.users(org, formatOf(options)));
  const { RemoteClient, remoteUsers, writeUsers } = await remoteWay();
  return writeTo(out, writeUsers(remoteUsers(new RemoteClient(service), org), formatOf(options)));
}

export async function exportMembers(options: ExportUsersOptions & ListOwner): Promise<void> {
  const { org, project, list, out } = options;
  const place = { org, project, list };
  const service = remoteService(options);
  if (!service) return run(out, (exports) => exports.members(place, formatOf(options)));
  const { RemoteClient, remoteMembers, writeMembers } = await remoteWay();
  return writeTo(out, writeMembers(remoteMembers(new RemoteClient(service), place), formatOf(options)));
}

const formatOf = ({ json, format }: ExportUsersOptions) => (json ? 'ndjson' : format);

const remoteWay = async () => ({
  ...(await import('./remote/client.js')),
  ...(await import('./remote/resource/user-file.js')),
  ...(await import('../provisioning/export/export-users.js')),
});

/** A YAML file as one JSON document. */
async function* asJson(parts: AsyncGenerator<string>): AsyncGenerator<string> {
  let text = '';
  for await (const part of parts) text += part;
  const { parse } = await import('yaml');
  yield `${JSON.stringify(parse(text))}\n`;
}

async function run(out: string | undefined, text: (service: ExportService) => AsyncGenerator<string>): Promise<void> {
  await withProvisioning(async (services) => {
    await writeTo(out, text(services.get(ExportService)));
  });
}

async function writeTo(out: string | undefined, parts: AsyncGenerator<string>): Promise<void> {
  try {
    if (out === undefined) await pipeline(parts, process.stdout, { end: false });
    else await writeWhole(out, parts);
  } finally {
    await parts.return(undefined); // releases its connection
  }
}
