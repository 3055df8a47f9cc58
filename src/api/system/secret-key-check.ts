import { Injectable, Logger } from '@nestjs/common';
import type { OnApplicationBootstrap } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { SecretBox } from '../../platform/secret/secret-box.js';
import { SECRET_KEY_ADVICE, SOME_SECRETS, readStoredKeys } from '../../platform/secret/stored-keys.js';

/** Between two looks while the key is wrong: somebody may enter the secrets again. */
const AGAIN_MS = 10_000;

/**
 * Finds out whether SECRET_KEY belongs to the database, which it does not after a restore with another key. Looks at the start, and again
 * while the key is wrong. A key that opens some secrets is not called wrong: the others may have been lost long ago.
 */
@Injectable()
export class SecretKeyCheck implements OnApplicationBootstrap {
  private readonly logger = new Logger('Secrets');
  private found: 'unknown' | 'right' | 'wrong' = 'unknown';
  private lookedAt = -Infinity;

  constructor(
    private readonly database: Database,
    private readonly box: SecretBox,
  ) {}

  /** Logs one line. The service starts anyway: most of it works, and an operator can enter the secrets again. */
  async onApplicationBootstrap(): Promise<void> {
    await this.look(true).catch(() => undefined);
  }

  /** Whether the key opens none of the stored secrets. */
  async isWrong(): Promise<boolean> {
    if (this.found !== 'right' && performance.now() - this.lookedAt > AGAIN_MS) await this.look(false);
    return this.found === 'wrong';
  }

  private async look(isStart: boolean): Promise<void> {
    this.lookedAt = performance.now();
    const { opened, problem } = await readStoredKeys(this.database.pool, this.box, SOME_SECRETS);
    this.found = problem !== null && opened === 0 ? 'wrong' : 'right';
    if (problem !== null && isStart) this.logger.error({ message: problem, advice: SECRET_KEY_ADVICE });
  }
}
