import { Injectable, Logger } from '@nestjs/common';
import type { StoredConfig } from '../../dispatcher/channel-config.js';
import { Database } from '../../platform/database/database.js';
import type { AlertSettings } from './alert-settings.js';
import { uuidV7 } from '../../platform/field/uuid-v7.js';
import { TestSender } from '../test-message/test-sender.js';
import { TOLD_USERS, WORKING_CHANNELS } from './alert.sql.js';
import { alertText } from './alert-text.js';
import type { AlertSubject } from './alert-text.js';

export interface AlertedOrganization {
  id: number;
  slug: string;
  name: string;
  locale: string | null;
  alerts: AlertSettings;
}

interface ChannelRow {
  id: number;
  projectId: number | null;
  path: string;
  slug: string;
  type: string;
  config: StoredConfig;
}

interface UserRow {
  email: string;
  locale: string | null;
  addresses: { name: string; value: string }[];
}

/** A way to somebody: a channel, and the address that it needs. */
interface Way {
  channel: ChannelRow;
  to: string;
}

/** How many ways to one user are tried. */
const MAX_WAYS = 3;

/** Sends an alert to each chosen user over the first of their addresses whose channel works, and to each chosen channel. */
@Injectable()
export class SendAlert {
  private readonly logger = new Logger('Alerts');

  constructor(
    private readonly database: Database,
    private readonly sender: TestSender,
  ) {}

  /** Whether anybody was told. `failing`: the channel that the alert is about, which does not carry it. */
  async send(organization: AlertedOrganization, about: AlertSubject, failing: number | null): Promise<boolean> {
    const { id, alerts } = organization;
    const channels = (
      await this.database.query<ChannelRow>('working-channels', WORKING_CHANNELS, [id, failing ?? 0])
    ).rows.flatMap((channel) => this.withKind(channel));
    const names = alerts.users.map((name) => name.toLowerCase());
    const users = (await this.database.query<UserRow>('told-users', TOLD_USERS, [id, names])).rows;
    let told = 0;
    for (const { email, locale, addresses } of users) {
      const ways = channels.flatMap(({ channel, kind }) =>
        addresses.filter(({ name }) => name === kind).map(({ value }) => ({ channel, to: value })),
      );
      const isTold = await this.first(organization, ways.slice(0, MAX_WAYS), about, { locale, user: email });
      if (isTold) told++;
      else this.logger.warn({ message: 'a user could not be told: no channel works', ...placeOf(organization) });
    }
    for (const path of alerts.channels) {
      const ways = channels.filter(({ channel, kind }) => channel.path === path && kind === null);
      const isTold = await this.first(
        organization,
        ways.map(({ channel }) => ({ channel, to: '' })),
        about,
        { locale: null, user: null },
      );
      if (isTold) told++;
      else this.logger.warn({ message: 'a channel could not be told', channel: path, ...placeOf(organization) });
    }
    if (told === 0) this.logger.warn({ message: 'nobody could be told', about: about.kind, ...placeOf(organization) });
    return told > 0;
  }

  /** An inbox has no provider, and a type that this service does not know has no dispatcher. */
  private withKind(channel: ChannelRow): { channel: ChannelRow; kind: string | null }[] {
    if (channel.type === 'inbox' || channel.type === 'log') return [];
    try {
      return [{ channel, kind: this.sender.dispatcherOf(channel).kind }];
    } catch {
      return [];
    }
  }

  private async first(
    organization: AlertedOrganization,
    ways: Way[],
    about: AlertSubject,
    { locale, user }: { locale: string | null; user: string | null },
  ): Promise<boolean> {
    const { subject, text } = alertText(about, locale ?? organization.locale);
    for (const { channel, to } of ways) {
      const id = uuidV7();
      const place = { occurrence: id, organization: organization.slug, project: '', application: '', event: '', user };
      const message = { id, to, subject, text, html: '', about: place, context: {} };
      const owner = { ...channel, organizationId: organization.id };
      const { outcome, answer } = await this.sender
        .send(owner, message)
        .catch((error: Error) => ({ outcome: 'failed', answer: error.message }));
      if (outcome === 'sent') return true;
      this.logger.warn({ message: 'an alert was not sent', channel: channel.path, answer, ...placeOf(organization) });
    }
    return false;
  }
}

const placeOf = ({ slug }: AlertedOrganization) => ({ organization: slug });
