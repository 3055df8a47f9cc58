import { Injectable } from '@nestjs/common';
import type { PoolClient } from 'pg';
import { actorOf } from '../auth/scope.js';
import type { Scope } from '../auth/scope.js';
import { Listing } from '../http/list/listing.js';
import { afterId, positiveInt } from '../http/list/page.js';
import type { Page } from '../http/list/page.js';
import { conflict, invalid, notFound } from '../http/problem.js';
import { Database } from '../prisma/database.js';
import { isDuplicate, isForeignKeyViolation } from '../prisma/pg-error.js';
import type { Values } from '../prisma/upsert-row.js';
import { readTemplates } from './notification-templates.js';
import type { CreateNotificationDto, NotificationDto, UpdateNotificationDto } from './notification.dto.js';
import { putNotification } from './put-notification.js';
import { renewRuleset } from './renew-ruleset.js';

// $1 event, $2 after which, $3 or only which, $4 how many.
const FIND = `
  select n.id, n.name, n.enabled, n."when",
    array(select l.name from notification_lists u join distribution_lists l on l.id = u.list_id
          where u.notification_id = n.id order by l.id) distribution_lists,
    n.audience,
    (select coalesce(json_agg(json_build_object('channel', c.slug, 'subject', t.subject, 'text', t.text, 'html', t.html,
                                                'markdown', t.markdown) order by t.id), '[]')
     from templates t join channels c on c.id = t.channel_id where t.notification_id = n.id) templates
  from notifications n where n.event_id = $1 and n.id > $2 and ($3::int is null or n.id = $3) order by n.id limit $4`;

/** The rules of an event. Every change makes a new ruleset; what was triggered before keeps the one it began with. */
@Injectable()
export class NotificationService {
  constructor(private readonly database: Database) {}

  list(scope: Scope, page: Page) {
    const read = (after: string | null, limit: number) => this.find(scope, afterId(after), null, limit);
    return new Listing(
      page,
      read,
      (row) => row,
      ({ id }) => id,
    );
  }

  async get(scope: Scope, id = idOf(scope)): Promise<NotificationDto> {
    const [row] = await this.find(scope, 0, id, 1);
    if (!row) throw notFound('notification');
    return row;
  }

  async create(scope: Scope, { name: rawName, ...body }: CreateNotificationDto): Promise<NotificationDto> {
    const name = rawName.trim();
    const templates = readTemplates(body.templates);
    const id = await this.change(scope, async (client) => {
      const { rowCount } = await client.query('select from notifications where event_id = $1 and name = $2', [
        scope.eventId,
        name,
      ]);
      if (rowCount) throw TAKEN;
      return put(client, scope, { name }, { ...body, templates });
    });
    return this.get(scope, id);
  }

  async update(scope: Scope, body: UpdateNotificationDto): Promise<NotificationDto> {
    const { id } = await this.get(scope);
    const templates = body.templates && readTemplates(body.templates);
    await this.change(scope, async (client) => {
      const { rowCount } = await client.query('select from notifications where id = $1', [id]);
      if (!rowCount) throw notFound('notification'); // deleted since
      return put(client, scope, { id }, { ...body, name: body.name?.trim(), templates });
    });
    return this.get(scope);
  }

  async remove(scope: Scope): Promise<void> {
    const values = [idOf(scope), scope.eventId];
    await this.change(scope, async (client) => {
      const { rowCount } = await client.query('delete from notifications where id = $1 and event_id = $2', values);
      if (!rowCount) throw notFound('notification');
    });
  }

  private async change<Result>(scope: Scope, work: (client: PoolClient) => Promise<Result>): Promise<Result> {
    try {
      return await this.database.change(actorOf(scope), async (client) => {
        // One after the other: two changes at once would each keep a ruleset without the other.
        const lock = 'select from events where id = $1 and organization_id = $2 for no key update';
        if (!(await client.query(lock, [scope.eventId, scope.organizationId])).rowCount) throw notFound('event');
        const result = await work(client);
        await renewRuleset(client, scope.eventId);
        return result;
      });
    } catch (error) {
      if (isDuplicate(error)) throw TAKEN;
      if (isForeignKeyViolation(error)) throw conflict('A list or channel that it names has just been deleted.');
      throw error;
    }
  }

  private async find({ eventId }: Scope, after: number, id: number | null, limit: number) {
    const values = [eventId, after, id, limit];
    return (await this.database.query<NotificationDto>('find-notifications', FIND, values)).rows;
  }
}

const TAKEN = invalid({ name: ['belongs to a notification of the event that already exists'] });

async function put(client: PoolClient, scope: Scope, identity: Values, fields: UpdateNotificationDto): Promise<number> {
  const put = await putNotification(client, scope, identity, fields);
  if ('errors' in put) throw invalid(put.errors);
  return put.id;
}

function idOf({ path }: Scope): number {
  const id = positiveInt(path.notification ?? '');
  if (id === null) throw notFound('notification');
  return id;
}
