import { isDeepStrictEqual } from 'node:util';
import { Inject, Injectable } from '@nestjs/common';
import { RecipientScopes } from '../../auth/recipient/recipient-scopes.js';
import { DISPATCHERS } from '../../dispatcher/dispatcher.module.js';
import type { Dispatcher } from '../../dispatcher/dispatcher.js';
import type { ChosenBy } from '../../platform/database/generated/prisma/enums.js';
import type { FieldErrors } from '../../platform/field/error/field-error.js';
import type { Actor } from '../../platform/database/actor.js';
import { Database } from '../../platform/database/database.js';
import { reachedProjects } from '../preference/reached-projects.js';
import { PrismaService } from '../../platform/database/prisma.service.js';
import type { WeeklyRange } from '../../rules/ruleset/rule.js';
import { putUserSettings } from '../settings/put-settings.js';
import { UnsubscribeTokens } from '../../engine/unsubscribe/token.js';
import type { LinkOwner } from '../../engine/unsubscribe/token.js';
import { cellsOf, changedCells, masterCells, readClock } from './choices.js';
import type { ChoiceCell, ChoiceCategory } from './choices.js';
import type { PreferenceView, Saved } from './preference-page.js';
import {
  CHOOSE_CATEGORY,
  CHOOSE_CHANNEL_TYPE,
  FIND_RECIPIENT,
  LIST_CATEGORIES,
  LIST_SWITCHES,
  UNDO,
} from './recipient.sql.js';

const MAX_CATEGORIES = 500;

/** The user of a link, with everything that a page shows of them. */
export interface PageRecipient extends LinkOwner {
  organization: string;
  color: string | null;
  organizationZone: string | null;
  organizationHours: WeeklyRange[] | null;
  email: string;
  timeZone: string | null;
  quietHours: WeeklyRange[] | null;
  /** Null: the link is not about a category. */
  categoryName: string | null;
  categoryDescription: string;
  isRequired: boolean;
  /** Who has switched mail of the category off, if it is. */
  offBy: ChosenBy | null;
}

/** What users choose themselves, with the link of a message or a recipient token. The token is the only proof of who they are. */
@Injectable()
export class RecipientService {
  constructor(
    private readonly database: Database,
    private readonly prisma: PrismaService,
    private readonly tokens: UnsubscribeTokens,
    private readonly recipients: RecipientScopes,
    @Inject(DISPATCHERS) private readonly dispatchers: ReadonlyMap<string, Dispatcher>,
  ) {}

  /** The user of a recipient token, which is about no category. */
  private async ownerOf(token: string): Promise<LinkOwner | null> {
    const person = await this.recipients.userOf(token, 'preferences');
    return person && { organizationId: person.organizationId, userId: person.userId, categoryId: 0 };
  }

  /** Null: the token is wrong, or its organization, user or category is gone. */
  async find(token: string): Promise<PageRecipient | null> {
    const owner = this.tokens.verify(token) ?? (await this.ownerOf(token));
    if (!owner) return null;
    const values = [owner.organizationId, owner.userId, owner.categoryId];
    const { rows } = await this.database.query<Omit<PageRecipient, keyof LinkOwner>>(
      'find-recipient',
      FIND_RECIPIENT,
      values,
    );
    return rows[0] ? { ...owner, ...rows[0] } : null;
  }

  /** Switches the category of the link off, for mail. Doing it again changes nothing. */
  async unsubscribe({ organizationId, userId, categoryId }: LinkOwner, request: string): Promise<void> {
    await this.prisma.change(by('unsubscribe link', request), (tx) =>
      tx.$executeRawUnsafe(CHOOSE_CATEGORY, organizationId, userId, categoryId, 'email', false, 'link'),
    );
  }

  async undo({ organizationId, userId, categoryId }: LinkOwner, request: string): Promise<void> {
    await this.prisma.change(by('unsubscribe link', request), (tx) =>
      tx.$executeRawUnsafe(UNDO, organizationId, userId, categoryId),
    );
  }

  async view(recipient: PageRecipient): Promise<PreferenceView> {
    const { organizationId, userId, categoryId, timeZone, quietHours, ...shown } = recipient;
    const projects = await reachedProjects(this.prisma, organizationId, userId);
    const values = [organizationId, userId, categoryId, MAX_CATEGORIES, projects];
    const [listed, switches] = await Promise.all([
      this.database.query<ChoiceCategory>('recipient-categories', LIST_CATEGORIES, values),
      this.database.query<{ type: string; isOn: boolean }>('recipient-switches', LIST_SWITCHES, [userId]),
    ]);
    return {
      ...shown,
      clock: { timeZone, quietHours },
      categories: listed.rows,
      masters: masterCells(listed.rows, switches.rows),
      labels: Object.fromEntries([...this.dispatchers].map(([type, { label }]) => [type, label])),
    };
  }

  /** Stores what differs from the view. Returns it. */
  async save(recipient: PageRecipient, view: PreferenceView, form: URLSearchParams, request: string): Promise<Saved> {
    const clock = readClock(form, view.clock);
    if (clock !== null && 'problem' in clock) return clock;
    const changed = changedCells([...view.categories.flatMap(cellsOf), ...view.masters], form);
    const isClockChanged = clock !== null && !isDeepStrictEqual(clock, view.clock);
    if (changed.length === 0 && !isClockChanged) return { changed, isClockChanged };
    try {
      await this.prisma.change(by('preference page', request), async (tx) => {
        for (const cell of changed) await tx.$executeRawUnsafe(...statementFor(recipient, cell));
        if (!isClockChanged) return;
        const fields = { time_zone: clock.timeZone, quiet_hours: clock.quietHours };
        const errors = await putUserSettings(tx, recipient, fields);
        if (errors) throw new RefusedClock(errors);
      });
    } catch (error) {
      if (error instanceof RefusedClock) return { problem: error.problem };
      throw error;
    }
    return { changed, isClockChanged };
  }
}

/** Rolls back everything that the form changes. */
class RefusedClock extends Error {
  readonly problem: 'bad_zone' | 'bad_hours';

  constructor(errors: FieldErrors) {
    super('the time zone or the quiet hours are refused');
    this.problem = 'time_zone' in errors ? 'bad_zone' : 'bad_hours';
  }
}

const by = (actor: string, request: string): Actor => ({ actor, request });

function statementFor(
  { organizationId, userId }: LinkOwner,
  { category, type, isOn }: ChoiceCell,
): [string, ...unknown[]] {
  return category === 0
    ? [CHOOSE_CHANNEL_TYPE, organizationId, userId, type, isOn]
    : [CHOOSE_CATEGORY, organizationId, userId, category, type, isOn, 'person'];
}
