import { ApiProperty, OmitType, PickType } from '@nestjs/swagger';
import { NotificationDto, TemplateDto } from '../notification/notification.dto.js';
import { digestText } from '../notification/read-waiting.js';
import { stepText } from '../notification/step/read-steps.js';
import type { NamedStep } from '../notification/step/read-steps.js';
import type { DigestRule } from '../../rules/ruleset/rule.js';

const CHANGES = ['created', 'updated', 'deleted'] as const;

const RULE = {
  ...{ name: 'Tell the staff', enabled: true, when: null, distribution_lists: ['Staff'], audience: null },
  ...{ to: null, window: null, digest: null, limit: null, steps: null, acknowledge: null, thread: null },
  templates: [
    {
      ...{ channel: 'mail', subject: 'Order {{ order }} paid', text: 'Hi', html: null, markdown: null, mjml: null },
      ...{
        from: null,
        reply_to: null,
        headers: null,
        url: null,
        image: null,
        actions: null,
        data: null,
        template: null,
        layout: null,
        translations: null,
        per: 'person',
      },
    },
  ],
};

class RevisedTemplateDto extends OmitType(TemplateDto, ['channel']) {
  /**
   * The slug of the channel; null when the channel was deleted.
   * @example 'mail'
   */
  @ApiProperty({ type: String, nullable: true })
  channel: string | null;
}

/** A notification as it was. Distribution lists that were deleted are left out. */
class RevisedRuleDto extends PickType(NotificationDto, [
  ...([
    'name',
    'enabled',
    'when',
    'distribution_lists',
    'audience',
    'to',
    'window',
    'digest',
    'limit',
    'steps',
    'acknowledge',
    'thread',
  ] as const),
]) {
  @ApiProperty({ type: [RevisedTemplateDto], example: RULE.templates })
  templates: RevisedTemplateDto[];
}

/** A notification that a revision has changed. */
class RevisedNotificationDto {
  /**
   * The id of the notification.
   * @example 9
   */
  @ApiProperty({ type: 'integer' })
  notification: number;

  /** @example 'Tell the staff' */
  name: string;

  /** @example 'updated' */
  @ApiProperty({ enum: CHANGES })
  change: (typeof CHANGES)[number];

  /** The notification since then; null: it was deleted. */
  @ApiProperty({ type: RevisedRuleDto, nullable: true, example: RULE })
  rule: RevisedRuleDto | null;
}

type RuleRow = Omit<RevisedRuleDto, 'digest' | 'steps'> & { digest: DigestRule | null; steps: NamedStep[] | null };

export interface RevisionRow {
  id: number;
  createdAt: Date;
  supersededAt: Date | null;
  actor: string | null;
  changes: (Omit<RevisedNotificationDto, 'rule'> & { rule: RuleRow | null })[];
}

/** The notifications of an event at one time. */
export class RevisionDto {
  /** @example 12 */
  @ApiProperty({ type: 'integer' })
  id: number;

  /** @example '2030-01-01T08:00:00.000Z' */
  @ApiProperty({ format: 'date-time' })
  created_at: string;

  /**
   * When another revision replaced it; null: it is in force.
   * @example '2030-01-02T08:00:00.000Z'
   */
  @ApiProperty({ type: String, nullable: true, format: 'date-time' })
  superseded_at: string | null;

  /**
   * Who made it: the name of a key, a command or a database user. Null without the permission `audit:read` of the organization, and if the
   * audit log does not know.
   * @example 'ci'
   */
  @ApiProperty({ type: String, nullable: true })
  actor: string | null;

  /** The notifications that differ from the revision before it in this list. */
  @ApiProperty({ example: [{ notification: 9, name: 'Tell the staff', change: 'updated', rule: RULE }] })
  changes: RevisedNotificationDto[];

  static from({ id, createdAt, supersededAt, actor, changes }: RevisionRow): RevisionDto {
    return {
      id,
      created_at: createdAt.toISOString(),
      superseded_at: supersededAt?.toISOString() ?? null,
      actor,
      changes: changes.map(({ rule, ...change }) => ({
        ...change,
        rule: rule && {
          ...rule,
          digest: rule.digest && digestText(rule.digest),
          steps: rule.steps && rule.steps.map(stepText),
        },
      })),
    };
  }
}
