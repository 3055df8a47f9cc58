import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { ExportService } from '../provisioning/export/export.service.js';
import type { ListPlace } from '../provisioning/find.js';
import type { PeopleFormat } from '../provisioning/people/people-format.js';
import { withProvisioning } from './provisioning-services.js';

interface Target {
  /** File to write. Undefined: standard output. */
  output?: string;
}

export interface ExportOptions extends Target {
  org: string;
  people: boolean;
}

export interface ExportPeopleOptions extends Target {
  org: string;
  format: PeopleFormat;
}

export const exportOrganization = ({ org, people, output }: ExportOptions): Promise<void> =>
  run(output, (service) => service.organization(org, { people }));

export const exportUsers = ({ org, format, output }: ExportPeopleOptions): Promise<void> =>
  run(output, (service) => service.users(org, format));

export const exportMembers = ({ format, output, ...place }: ExportPeopleOptions & ListPlace): Promise<void> =>
  run(output, (service) => service.members(place, format));

async function run(
  output: string | undefined,
  text: (service: ExportService) => AsyncGenerator<string>,
): Promise<void> {
  await withProvisioning(async (services) => {
    const parts = text(services.get(ExportService));
    try {
      if (output === undefined) await pipeline(parts, process.stdout, { end: false });
      else await write(parts, output);
    } finally {
      await parts.return(undefined); // releases its connection
    }
  });
}

/** Replaces the file only when the export is complete. */
async function write(parts: AsyncGenerator<string>, output: string): Promise<void> {
  const unfinished = `${output}.unfinished`;
  try {
    await pipeline(parts, createWriteStream(unfinished));
    await rename(unfinished, output);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}
