import { Injectable } from '@nestjs/common';
import { openConfig } from '../../dispatcher/channel-config.js';
import type { ChannelOwner, StoredConfig } from '../../dispatcher/channel-config.js';
import { isSignedByTwilio, readNotice } from '../../dispatcher/sms/twilio-notice.js';
import { Database } from '../../platform/database/database.js';
import { PrismaService } from '../../platform/database/prisma.service.js';
import { SecretBox } from '../../platform/secret/secret-box.js';
import { normalizeAddress } from '../user/address.js';
import { FIND_SMS_CHANNEL, LIFT_STOP, PUT_SUPPRESSION } from './suppression.sql.js';

/** Where Twilio reports to, and what it sent. */
interface TwilioRequest {
  org: string;
  /** Null: a channel of the organization itself. */
  prj: string | null;
  channel: string;
  /** The URL as Twilio knows it. */
  url: string;
  signature: string;
  form: URLSearchParams;
  requestId: string;
}

type SmsChannel = ChannelOwner & { config: StoredConfig };

@Injectable()
export class TwilioService {
  constructor(
    private readonly database: Database,
    private readonly prisma: PrismaService,
    private readonly secrets: SecretBox,
  ) {}

  /** Returns false when there is no such channel, or Twilio did not sign the request with its token. */
  async report({ org, prj, channel, url, signature, form, requestId }: TwilioRequest): Promise<boolean> {
    const found = await this.database.query<SmsChannel>('find-sms-channel', FIND_SMS_CHANNEL, [org, prj, channel]);
    const [row] = found.rows;
    const token = row && this.tokenOf(row);
    if (!row || token === undefined || !isSignedByTwilio(signature, url, form, token)) return false;
    const notice = readNotice(form);
    const phone = notice && normalizeAddress('phone', notice.number);
    if (!notice || !phone || 'problem' in phone) return true;
    const { organizationId, projectId, slug } = row;
    const { kind, answer, message } = notice;
    await this.prisma.change({ actor: 'Twilio', request: requestId }, (tx) => {
      if (kind === 'resume') return tx.$executeRawUnsafe(LIFT_STOP, organizationId, phone.value, projectId, slug);
      const evidence = JSON.stringify({ answer, message, at: new Date().toISOString(), channels: [slug] });
      const values = [organizationId, 'phone', phone.value, kind, evidence, null, projectId];
      return tx.$executeRawUnsafe(PUT_SUPPRESSION, ...values);
    });
    return true;
  }

  private tokenOf(channel: SmsChannel): string | undefined {
    try {
      return String(openConfig(channel.config, channel, this.secrets).auth_token);
    } catch {
      return undefined; // encrypted with a key that is gone
    }
  }
}
