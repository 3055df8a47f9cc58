import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { Permission } from '../../auth/permission.js';
import type { Scope } from '../../auth/scope.js';
import type { ChannelOwner } from '../../dispatcher/channel-config.js';
import { TestSender } from '../../engine/test-message/test-sender.js';
import { Database } from '../../platform/database/database.js';
import { emailKey } from '../../platform/field/email.js';
import { uuidV7 } from '../../platform/field/uuid-v7.js';
import { conflict, invalidField, notFound } from '../../platform/http/problem.js';
import type { TestedChannelDto } from '../channel/channel.dto.js';
import type { PreviewDto } from './preview.dto.js';
import { PreviewService } from './preview.service.js';
import { FIND_ADDRESS, FIND_OFF } from './preview.sql.js';
import { messageOfDraft } from './shown-draft.js';

const REQUIRED = { channel: 'is required: the channel to send over', user: 'is required: the user who gets it' };
const NOT_YOURS =
  'must be one that sends to an address of each user, such as e-mail or SMS: rooms and inboxes show what is published';

const NO_NAMES = 'must be left out: a test message carries the files of an occurrence, and these have only names';
const SUPPRESSED = 'has an address that is suppressed, and gets no messages: the page of suppressions says why';

/** Nobody takes it for a message that was triggered. */
const marked = (subject: string) => (subject === '' ? '' : `[Test] ${subject}`);

interface AddressRow {
  address: string | null;
  locked: boolean;
  suppressed: boolean;
}

/** Sends a draft to one user, as a delivery would. What the user has chosen to get does not count: somebody wants to see the message. */
@Injectable()
export class TemplateTestService {
  constructor(
    private readonly database: Database,
    private readonly previews: PreviewService,
    private readonly sender: TestSender,
  ) {}

  async test(scope: Scope, draft: PreviewDto, response: Response): Promise<TestedChannelDto> {
    // Whoever has both permissions can publish the draft and trigger it for this user, unless something is off.
    scope.require(Permission.EventTrigger);
    for (const field of ['channel', 'user'] as const)
      if (draft[field] === undefined) throw invalidField(field, 'required', REQUIRED[field]);
    if (draft.attachments) throw invalidField('attachments', 'not_allowed', NO_NAMES);
    const { rendered, target, channel } = await this.previews.render(scope, draft, response);
    const { organizationId } = scope;
    const { id, config, type, slug, projectId } = channel!;
    const stored = { id, organizationId, projectId, slug, type, config };
    const { kind } = this.sender.dispatcherOf(stored);
    if (kind === null) throw invalidField('channel', 'not_allowed', NOT_YOURS);
    await this.refuseIfOff(scope, stored);
    const address = await this.addressOf(scope, draft.user!, kind);
    const draftMessage = messageOfDraft(target, rendered, address);
    // Mail programs show two mails with one id once.
    const message = { ...draftMessage, subject: marked(draftMessage.subject), id: uuidV7() };
    return this.sender.send(stored, message, [...target.files]);
  }

  private async refuseIfOff(
    { organizationId, eventId }: Scope,
    { slug, projectId }: Pick<ChannelOwner, 'slug' | 'projectId'>,
  ) {
    const values = [organizationId, eventId, slug, projectId];
    const { rows } = await this.database.pool.query<{ noun: string }>(FIND_OFF, values);
    if (rows[0]) throw conflict(`The ${rows[0].noun} is switched off. Switch it on to send messages.`);
  }

  private async addressOf({ organizationId, projectId }: Scope, user: string, kind: string): Promise<string> {
    const values = [organizationId, emailKey(user), kind, projectId];
    const { rows } = await this.database.pool.query<AddressRow>(FIND_ADDRESS, values);
    const [found] = rows;
    if (!found) throw notFound('user');
    if (found.locked) throw invalidField('user', 'not_allowed', 'is locked, and gets no messages');
    if (found.address === null) throw invalidField('user', 'not_found', `has no address of the kind ${kind}`);
    if (found.suppressed) throw invalidField('user', 'not_allowed', SUPPRESSED);
    return found.address;
  }
}
