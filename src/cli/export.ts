import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { ExportService } from '../provisioning/export.service.js';
import type { ListPlace } from '../provisioning/find.js';
import type { PeopleFormat } from '../provisioning/people-format.js';
import { withServices } from './context.js';

interface Target {
  /** A file; without it, standard output. */
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
  await withServices(async (services) => {
    const parts = text(services.get(ExportService));
    const first = await parts.next(); // before the file is opened: what is refused leaves it as it was
    const all = (async function* () {
      if (!first.done) yield first.value;
      yield* parts;
    })();
    if (output !== undefined) return pipeline(all, createWriteStream(output));
    for await (const part of all) await say(part);
  });
}

/** Not faster than it is read. */
async function say(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
}
