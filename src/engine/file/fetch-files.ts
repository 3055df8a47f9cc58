import { Inject, Injectable } from '@nestjs/common';
import type { Dispatcher } from '../../dispatcher/dispatcher.js';
import { DISPATCHERS } from '../../dispatcher/dispatcher.module.js';
import {
  OutboundFailed,
  OutboundRefused,
  OutboundTimeout,
  reasonOf,
} from '../../dispatcher/outbound/outbound-error.js';
import { Outbound } from '../../dispatcher/outbound/outbound.js';
import type { HttpFile } from '../../dispatcher/outbound/outbound.js';
import { CONFIG } from '../../platform/config/config.js';
import type { Config } from '../../platform/config/config.js';
import { Database } from '../../platform/database/database.js';
import type { StoredAttachment, TriggerOptions } from '../../platform/queue/trigger-options.js';
import { isChosen } from '../../rules/ruleset/decide.js';
import { MAX_FILE_BYTES, MAX_FILE_MB, contentTypeProblem } from './file-fields.js';
import { channelSizeProblem } from './file-sizes.js';
import type { SizedChannel } from './file-sizes.js';
import { FileStore, FileTooLarge } from './file-store.js';
import { COUNT_TRY, FILE_SPACE, PIN_FILE } from './file.sql.js';

const TIMEOUT_MS = 60_000;

/** How long to wait after each failure. After one more, the occurrence fails. */
const WAITS_MS = [2000, 15_000, 60_000, 300_000];

const MB = 1024 * 1024;

/** No later attempt will succeed. */
class FetchRefused extends Error {}

interface Carrying {
  id: string;
  organizationId: number;
  options: TriggerOptions;
}

/** Other errors are of the database: the job is tried again. */
const FAILURES = [FetchRefused, OutboundRefused, OutboundTimeout, OutboundFailed];

/** Whether files of these options are still to be fetched. */
export const hasUnfetched = ({ attachments }: TriggerOptions): boolean =>
  attachments !== undefined && attachments.some(isUnfetched);

const isUnfetched = ({ size }: StoredAttachment) => size === undefined;

/** Ready to send, or how long to wait, or why the occurrence fails. */
type Fetched = { isReady: true } | { waitMs: number } | { problem: string };

/** Fetches the files of an occurrence that are given by URL: once, before its first message. */
@Injectable()
export class FetchFiles {
  constructor(
    private readonly database: Database,
    private readonly files: FileStore,
    private readonly outbound: Outbound,
    @Inject(DISPATCHERS) private readonly dispatchers: ReadonlyMap<string, Dispatcher>,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async of(occurrence: Carrying, channels: Iterable<SizedChannel>, stopping: AbortSignal): Promise<Fetched> {
    const all = occurrence.options.attachments ?? [];
    const sizes = all.map(({ size = 0 }) => size);
    for (const [position, file] of all.entries()) {
      if (!isUnfetched(file)) continue;
      try {
        const left = MAX_FILE_BYTES - sizes.reduce((sum, size) => sum + size, 0);
        sizes[position] = await this.fetch(occurrence, position, file, left, stopping);
      } catch (error) {
        if (stopping.aborted) return { waitMs: 0 };
        if (!FAILURES.some((kind) => error instanceof kind)) throw error;
        const why = `attachments[${position}] could not be fetched from ${shown(file.url!)}: ${reasonOf(error)}`;
        const isFinal = error instanceof FetchRefused || error instanceof OutboundRefused;
        const waitMs = isFinal ? undefined : WAITS_MS[(await this.countTry(occurrence, position)) - 1];
        return waitMs === undefined ? { problem: why } : { waitMs };
      }
    }
    const used = [...channels].filter((channel) => isChosen(channel, occurrence.options.channels));
    const sized = all.map(({ content_type }, i) => ({ content_type, size: sizes[i]! }));
    const problem = channelSizeProblem(sized, used, this.dispatchers);
    return problem === null ? { isReady: true } : { problem: `the attachments ${problem}` };
  }

  /** Returns the size of the file. */
  private async fetch(
    { id, organizationId }: Carrying,
    position: number,
    { url, sha256: expected, guess }: StoredAttachment,
    left: number,
    stopping: AbortSignal,
  ): Promise<number> {
    const { slug, room } = await this.spaceOf(organizationId);
    const signal = AbortSignal.any([stopping, AbortSignal.timeout(TIMEOUT_MS)]);
    const answer = await this.outbound.get(url!, { signal, organization: slug });
    refuseStatus(answer);
    const type = guess && contentTypeProblem(answer.type) === null ? { content_type: answer.type } : {};
    try {
      const { size } = await this.files.write(organizationId, bytesOf(answer), Math.min(left, room), async (file) => {
        const sha256 = file.sha256.toString('hex');
        if (expected !== undefined && expected !== sha256)
          throw new FetchRefused(`its SHA-256 is ${sha256}, and the trigger expects ${expected}`);
        const pinned = JSON.stringify({ size: file.size, sha256, ...type });
        const values = [id, organizationId, file.sha256, position, pinned];
        return (await this.database.query<{ fileId: string }>('pin-file', PIN_FILE, values)).rows[0] ?? null;
      });
      return size;
    } catch (error) {
      if (!(error instanceof FileTooLarge)) throw error;
      const why =
        room < left ? 'the quota files_mb of the organization is used up' : `all files may have ${MAX_FILE_MB} MB`;
      throw new FetchRefused(`it is too large: ${why}`);
    } finally {
      answer.body.destroy();
    }
  }

  private async spaceOf(organizationId: number): Promise<{ slug: string; room: number }> {
    const values = [organizationId, this.config.quotas.files_mb];
    const { rows } = await this.database.query<{ slug: string; quota: number; used: number }>(
      'file-space',
      FILE_SPACE,
      values,
    );
    const { slug, quota, used } = rows[0]!;
    return { slug, room: Math.max(quota * MB - used, 0) };
  }

  private async countTry({ id }: Carrying, position: number): Promise<number> {
    const { rows } = await this.database.query<{ tries: number }>('count-try', COUNT_TRY, [id, position]);
    return rows[0]?.tries ?? Infinity;
  }
}

const MAY_PASS = new Set([408, 425, 429]);

function refuseStatus({ status, body }: HttpFile): void {
  if (status >= 200 && status < 300) return;
  body.destroy();
  const why = status >= 300 && status < 400 ? `${status}: redirects are not followed` : String(status);
  throw status >= 500 || MAY_PASS.has(status)
    ? new OutboundFailed(`answered ${why}`)
    : new FetchRefused(`answered ${why}`);
}

async function* bytesOf({ body }: HttpFile): AsyncGenerator<Buffer> {
  try {
    for await (const piece of body) yield piece as Buffer;
  } catch (error) {
    throw new OutboundFailed(reasonOf(error));
  }
}

/** A query may hold a signature. */
const shown = (url: string) => url.replace(/[?#].*$/s, '');
