import { ApiProperty } from '@nestjs/swagger';
import type { DomainFinding } from '../../../dispatcher/email/domain/domain-finding.js';

const CHECKS = ['spf', 'dkim', 'dmarc', 'alignment'] as const;
const STATES = ['ok', 'missing', 'wrong', 'unknown'] as const;

/** What DNS says about a domain that the mails of a channel come from. */
class DomainFindingDto {
  /**
   * The domain of `From`.
   * @example 'acme.test'
   */
  domain: string;

  /**
   * `alignment`: whether DMARC accepts the signature or the envelope sender for the domain of `From`.
   * @example 'dkim'
   */
  @ApiProperty({ enum: CHECKS })
  check: DomainFinding['check'];

  /**
   * `missing`: there is no such record. `wrong`: it does not fit the channel. `unknown`: the name servers did not answer in time.
   * @example 'missing'
   */
  @ApiProperty({ enum: STATES })
  state: DomainFinding['state'];

  /**
   * The name of the TXT record; null: it is not about one record.
   * @example 'c2026a._domainkey.acme.test'
   */
  @ApiProperty({ type: String, nullable: true })
  record: string | null;

  /** @example 'The public key is not published: receivers cannot verify signatures.' */
  detail: string;

  /**
   * The TXT record to publish; null: none, or it cannot be known.
   * @example 'v=DKIM1; k=rsa; p=MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A'
   */
  @ApiProperty({ type: String, nullable: true })
  publish: string | null;
}

/** Whether the domains that a channel sends from are set up for mail. */
export class ChannelDomainsDto {
  /**
   * Whether no finding is other than `ok`.
   * @example false
   */
  ok: boolean;

  /**
   * Empty for a channel of another type than `email`: nothing was checked.
   * @example [{ "domain": "acme.test", "check": "dmarc", "state": "missing", "record": "_dmarc.acme.test", "detail": "There is no DMARC record.", "publish": "v=DMARC1; p=none" }]
   */
  findings: DomainFindingDto[];

  static from(findings: DomainFinding[]): ChannelDomainsDto {
    return { ok: findings.every(({ state }) => state === 'ok'), findings };
  }
}
