import { isDeepStrictEqual } from 'node:util';
import { Inject, Injectable } from '@nestjs/common';
import { RecipientScopes } from '../../auth/recipient/recipient-scopes.js';
import { DISPATCHERS } from '../../dispatcher/dispatcher.module.js';
import type { Dispatcher } from '../../dispatcher/dispatcher.js';
import type { ChosenBy } from '../../platform/database/generated/prisma/enums.js';
import type { FieldErrors } from '../../platform/field/error/field-error.js';
import type { Actor } from '../../platform/database/actor.js';
import { Database } from '../../platform/database/database.js';
import { LIST_DEVICES } from '../device/device.sql.js';
import { removeDevice } from '../device/device.write.js';
import { openLists, putListChanges } from '../distribution-list/open/open-lists.js';
import { mutedThreads, unmute } from '../preference/mute/mute.js';
import { storedChoices } from '../preference/preference.read.js';
import type { StoredChoice } from '../preference/preference.read.js';
import { FREQUENCY } from '../preference/read-choices.js';
import { putPreferences } from '../preference/preference.write.js';
import type { OwnWish } from '../preference/preference.write.js';
import { reachedProjects } from '../preference/reached-projects.js';
import { PrismaService } from '../../platform/database/prisma.service.js';
import { lockRows } from '../../platform/database/transaction.js';
import type { Transaction } from '../../platform/database/transaction.js';
import type { WeeklyRange } from '../../rules/ruleset/rule.js';
import { putUserSettings } from '../settings/put-settings.js';
import { UnsubscribeTokens } from '../../engine/unsubscribe/token.js';
import type { LinkOwner } from '../../engine/unsubscribe/token.js';
import {
  cellsOf,
  changedCells,
  changedFrequencies,
  changedLists,
  choicesAbout,
  frequencyAbout,
  mailOffBy,
  masterCells,
  readClock,
  switchesIn,
  undoLink,
} from './choices.js';
import type { ChoiceCell, ChoiceCategory, FrequencyChange } from './choices.js';
import { deviceName } from './device-list.js';
import type { PageDevice } from './device-list.js';
import type { PreferenceView, Saved } from './preference-page.js';
import type { PageBrand } from './recipient-layout.js';
import type { Say } from './texts.js';
import { FIND_RECIPIENT, LIST_CATEGORIES } from './recipient.sql.js';

const MAX_CATEGORIES = 500;
/** A user has at most 20, and browsers that were added as addresses. */
const MAX_SHOWN_DEVICES = 100;

/** The user of a link, with everything that a page shows of them. */
export interface PageRecipient extends LinkOwner, PageBrand {
  organizationZone: string | null;
  organizationHours: WeeklyRange[] | null;
  organizationLocale: string | null;
  email: string;
  timeZone: string | null;
  quietHours: WeeklyRange[] | null;
  locale: string | null;
  /** Null: the link is not about a category. */
  categoryName: string | null;
  categoryDescription: string;
  categoryDefault: ChoiceCategory['default'];
  categoryChannels: ChoiceCategory['channels'];
  isRequired: boolean;
  /** Who has switched mail of the category off, if it is. */
  offBy: ChosenBy | null;
  /** Everything that they have chosen. */
  choices: StoredChoice[];
}

type RecipientRow = Omit<PageRecipient, keyof LinkOwner | 'isRequired' | 'offBy' | 'choices'>;

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
    const user = await this.recipients.userOf(token, 'preferences');
    return user && { organizationId: user.organizationId, userId: user.userId, categoryId: 0 };
  }

  /** Null: the token is wrong, or its organization, user or category is gone. */
  async find(token: string): Promise<PageRecipient | null> {
    const owner = this.tokens.verify(token) ?? (await this.ownerOf(token));
    return owner && this.recipientOf(owner);
  }

  /** Null: the organization, user or category is gone. */
  async recipientOf(owner: LinkOwner): Promise<PageRecipient | null> {
    const values = [owner.organizationId, owner.userId, owner.categoryId];
    const { rows } = await this.database.query<RecipientRow>('find-recipient', FIND_RECIPIENT, values);
    if (!rows[0]) return null;
    const choices = await storedChoices(this.prisma, [owner.userId]);
    const isRequired = rows[0].categoryDefault === 'required';
    return { ...owner, ...rows[0], isRequired, offBy: mailOffBy(owner.categoryId, choices), choices };
  }

  /** Switches the category of the link off, for mail. Doing it again changes nothing. */
  async unsubscribe(recipient: PageRecipient, request: string): Promise<void> {
    const { categoryId, isRequired } = recipient;
    if (isRequired) return;
    const wish: OwnWish = { subject: { categoryId, eventId: null }, type: 'email', on: false, withEvents: true };
    await this.prisma.change(by('unsubscribe link', request), (tx) => choose(tx, recipient, 'link', () => [wish]));
  }

  async undo(recipient: PageRecipient, request: string): Promise<void> {
    const { categoryId, categoryDefault, categoryChannels } = recipient;
    const category = { id: categoryId, default: categoryDefault, channels: categoryChannels };
    await this.prisma.change(by('unsubscribe link', request), (tx) =>
      choose(tx, recipient, 'link', (choices) => undoLink(category, choices)),
    );
  }

  async view(recipient: PageRecipient): Promise<PreferenceView> {
    const { organizationId, userId, categoryId, timeZone, quietHours, locale, choices, ...shown } = recipient;
    const projects = await reachedProjects(this.prisma, organizationId, userId);
    const values = [organizationId, categoryId, MAX_CATEGORIES, projects];
    const listed = await this.database.query<Omit<ChoiceCategory, 'choices' | 'frequency'>>(
      'recipient-categories',
      LIST_CATEGORIES,
      values,
    );
    const categories = listed.rows.map((row) => ({
      ...row,
      ...{ frequency: frequencyAbout(row, choices), choices: choicesAbout(row.id, choices) },
    }));
    return {
      ...shown,
      clock: { timeZone, quietHours, locale },
      categories,
      masters: masterCells(categories, switchesIn(choices)),
      lists: await openLists(this.prisma, recipient),
      devices: await this.devicesOf(recipient),
      muted: await mutedThreads(this.prisma, userId),
      labels: Object.fromEntries([...this.dispatchers].map(([type, { label }]) => [type, label])),
    };
  }

  private async devicesOf({ organizationId, userId }: LinkOwner): Promise<PageDevice[]> {
    const values = [userId, organizationId, 0, MAX_SHOWN_DEVICES];
    return (await this.database.query<PageDevice>('list-devices', LIST_DEVICES, values)).rows;
  }

  /** Null: the user has no such device any more. */
  async removeDevice(
    recipient: PageRecipient,
    view: PreferenceView,
    form: URLSearchParams,
    say: Say,
    request: string,
  ): Promise<Saved | null> {
    const [app, device] = [form.get('app'), form.get('remove')];
    const found = view.devices.find((each) => each.app === app && each.device === device);
    if (!found) return null;
    await this.prisma.change(by('preference page', request), (tx) => removeDevice(tx, recipient, found));
    return { removed: deviceName(found, say) };
  }

  /** Null: the user has not muted it any more. */
  async unmute(
    recipient: PageRecipient,
    view: PreferenceView,
    form: URLSearchParams,
    request: string,
  ): Promise<Saved | null> {
    const found = view.muted.find(({ id }) => String(id) === form.get('unmute'));
    if (!found) return null;
    await this.prisma.change(by('preference page', request), (tx) => unmute(tx, recipient, [found.id]));
    return { unmuted: found.value };
  }

  /** Stores what differs from the view. Returns it. */
  async save(recipient: PageRecipient, view: PreferenceView, form: URLSearchParams, request: string): Promise<Saved> {
    const clock = readClock(form, view.clock);
    if (clock !== null && 'problem' in clock) return clock;
    const changed = changedCells([...view.categories.flatMap(cellsOf), ...view.masters], form);
    const frequencies = changedFrequencies(view.categories, form);
    const lists = changedLists(view.lists, form);
    const isClockChanged = clock !== null && !isDeepStrictEqual(clock, view.clock);
    const saved = { changed, frequencies, lists, isClockChanged };
    if (changed.length + frequencies.length + lists.length === 0 && !isClockChanged) return saved;
    try {
      await this.prisma.change(by('preference page', request), async (tx) => {
        await choose(tx, recipient, 'person', () => [...changed.map(wishOf), ...frequencies.map(frequencyWish)]);
        await putListChanges(tx, recipient, lists);
        if (!isClockChanged) return;
        const fields = { time_zone: clock.timeZone, quiet_hours: clock.quietHours, locale: clock.locale };
        const errors = await putUserSettings(tx, recipient, fields);
        if (errors) throw new RefusedClock(errors);
      });
    } catch (error) {
      if (error instanceof RefusedClock) return { problem: error.problem };
      throw error;
    }
    return saved;
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

const wishOf = ({ category, type, isOn }: ChoiceCell): OwnWish => ({
  subject: { categoryId: category || null, eventId: null },
  type,
  on: isOn,
  withEvents: true,
});

const frequencyWish = ({ category, frequency }: FrequencyChange): OwnWish => ({
  subject: { categoryId: category, eventId: null },
  ...{ type: FREQUENCY, on: frequency && true, frequency: frequency ?? undefined },
});

/** Two clicks follow each other: the second one finds the choice of the first. */
async function choose(
  tx: Transaction,
  { organizationId, userId }: LinkOwner,
  chosenBy: ChosenBy,
  wishes: (choices: StoredChoice[]) => OwnWish[],
): Promise<void> {
  await lockRows(tx, 'users', [userId], 'no key update');
  const wanted = wishes(await storedChoices(tx, [userId]));
  await putPreferences(tx, organizationId, [{ userId, wishes: wanted }], { chosenBy });
}
