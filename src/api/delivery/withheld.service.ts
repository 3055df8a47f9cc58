import { Injectable } from '@nestjs/common';
import type { Scope } from '../../auth/scope.js';
import type { Audience } from '../../rules/condition/audience.js';
import { ofRule } from '../explain/explain-rule.js';
import { ended, nameOf } from '../explain/explain-sentence.js';
import { emailKey } from '../../platform/field/email.js';
import { isUuid } from '../../platform/field/uuid-v7.js';
import { Listing } from '../../platform/http/list/listing.js';
import type { FoundRows } from '../../platform/http/list/listing.js';
import { badCursor } from '../../platform/http/list/page.js';
import type { Page } from '../../platform/http/list/page.js';
import { PrismaService } from '../../platform/database/prisma.service.js';
import type { TriggerOptions } from '../../platform/queue/trigger-options.js';
import { belongsTo } from '../preference/belongs-to.js';
import type { Decision } from '../../rules/ruleset/decide.js';
import { namesOf } from '../../rules/ruleset/named.js';
import type { Rule } from '../../rules/ruleset/rule.js';
import type { WithheldDto } from './withheld.dto.js';
import { FIND_WITHHELD, LOAD_WITHHELD, NAME_OF_USER } from './withheld.sql.js';

interface Candidate {
  id: string;
  createdAt: Date;
  context: Record<string, unknown>;
  options: TriggerOptions;
  decisions: Decision[];
  project: string;
  application: string;
  event: string;
  rules: { rule: Rule; isMember: boolean }[];
}

/** Occurrences that are loaded at once: each comes with its context. */
const AT_ONCE = 50;

/** What a false condition, or a switched-off notification, has withheld from a user. Nothing of it is stored with the user. */
@Injectable()
export class WithheldService {
  constructor(private readonly prisma: PrismaService) {}

  /** Newest first, so the next page has lower ids. */
  list(scope: Scope, page: Page): Listing<WithheldDto, WithheldDto> {
    const read = (after: string | null, limit: number) => this.search(scope, after, Math.min(limit, AT_ONCE));
    const same = (item: WithheldDto) => item;
    return new Listing(page, read, same, ({ occurrence }) => occurrence, AT_ONCE - 1);
  }

  private async search(scope: Scope, after: string | null, limit: number): Promise<FoundRows<WithheldDto>> {
    if (after !== null && !isUuid(after)) throw badCursor();
    const { organizationId, userId, key } = scope;
    const values = [organizationId, key.projectId, key.applicationId, after, limit];
    const [found] = await this.prisma.$queryRawUnsafe<{ end: string | null; ids: string[] }[]>(
      FIND_WITHHELD,
      ...values,
    );
    const { end, ids } = found!;
    const rows = await this.show(userId, ids);
    // The search continues below the last one that was looked at, whether it was for the user or not.
    return { rows, goesOnAt: ids.length === limit ? ids.at(-1)! : end };
  }

  private async show(userId: number, ids: string[]): Promise<WithheldDto[]> {
    if (ids.length === 0) return [];
    const candidates = await this.prisma.$queryRawUnsafe<Candidate[]>(LOAD_WITHHELD, ids, userId);
    const meant = await this.meant(userId, candidates);
    const users = this.prisma.$queryRawUnsafe<Parameters<typeof nameOf>[0][]>(NAME_OF_USER, userId);
    const [user] = await users;
    if (!user) return [];
    return candidates.flatMap((candidate) => {
      const isNamed = (rule: Rule) =>
        rule.to && namesOf(rule, candidate.context, candidate.options)?.includes(emailKey(user.email));
      const own = candidate.rules.filter(
        ({ rule, isMember }) => isMember || isNamed(rule) || meant.has(JSON.stringify(rule.audience)),
      );
      return own.length === 0
        ? []
        : [
            shown(
              candidate,
              nameOf(user),
              own.map(({ rule }) => rule),
            ),
          ];
    });
  }

  /** The audiences that the user belongs to, as JSON. */
  private async meant(userId: number, candidates: Candidate[]): Promise<Set<string>> {
    const others = candidates.flatMap(({ rules }) => rules.filter(({ rule, isMember }) => !isMember && rule.audience));
    const texts = [...new Set(others.map(({ rule }) => JSON.stringify(rule.audience)))];
    const matches = await belongsTo(
      this.prisma,
      userId,
      texts.map((text) => JSON.parse(text) as Audience),
    );
    return new Set(texts.filter((_, i) => matches[i]));
  }
}

function shown(candidate: Candidate, user: string, rules: Rule[]): WithheldDto {
  const { id, createdAt, project, application, event, decisions } = candidate;
  const clauses = rules.flatMap((rule) => {
    const decision = decisions.find(({ notification }) => notification === rule.id);
    const finding = decision && ofRule(decision, rule, candidate);
    return finding ? [`was not sent "${rule.name}", because ${finding.why}`] : [];
  });
  return {
    ...{ occurrence: id, triggered_at: createdAt.toISOString(), project, application, event },
    notifications: rules.map(({ name }) => name),
    sentence: ended(`${user} ${clauses.join('; ')}`),
  };
}
