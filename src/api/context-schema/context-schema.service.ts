import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Scope } from '../../auth/scope.js';
import { invalid, notFound } from '../../platform/http/problem.js';
import { fieldError, hasErrors } from '../../platform/field/error/field-error.js';
import type { FieldErrors } from '../../platform/field/error/field-error.js';
import { Database } from '../../platform/database/database.js';
import { PrismaService } from '../../platform/database/prisma.service.js';
import type { Rule } from '../../rules/ruleset/rule.js';
import { rulesetOf } from '../../rules/ruleset/rule.sql.js';
import { contextSchema } from '../../rules/template/context-schema.js';
import { addUse, newField } from '../../rules/template/field.js';
import type { ContextSchemaDto, UsedByDto } from './context-schema.dto.js';
import { lackingFor, needsOf } from './rule-needs.js';
import type { RuleNeeds, RulePart } from './rule-needs.js';

/** The most uses in the cache, over all rulesets: at worst about 50 MB. */
const MAX_CACHED = 200_000;

/** The most missing fields in one error. */
const MAX_LISTED = 100;

const CURRENT_RULESET = 'select ruleset_id "rulesetId" from events where organization_id = $1 and id = $2';

/** The ruleset of the event whose steps this one ends. $1: organization, $2: event. */
const ENDED_RULESET = `
  select t.ruleset_id "rulesetId" from events e join events t on t.application_id = e.application_id and t.slug = e.resolves_event
  where e.organization_id = $1 and e.id = $2`;

/** $1: organization, $2: ruleset. */
const LOAD_RULESET = `select r.rules from (select) nothing join ${rulesetOf('$2::int')} where r.organization_id = $1`;

type Context = Record<string, unknown>;

/** The context fields that the notifications of an event need. */
@Injectable()
export class ContextSchemaService {
  // A ruleset never changes, so a cached analysis stays valid.
  private readonly cache: LRUCache<number, RuleNeeds[], number>;

  constructor(
    private readonly database: Database,
    private readonly prisma: PrismaService,
  ) {
    this.cache = new LRUCache<number, RuleNeeds[], number>({
      maxSize: MAX_CACHED,
      sizeCalculation: (rules) => rules.reduce((sum, { uses }) => sum + uses.length, 1),
      fetchMethod: (rulesetId, _stale, { context: organizationId }) => this.load(organizationId, rulesetId),
    });
  }

  async get(scope: Scope): Promise<ContextSchemaDto> {
    const rules = [...(await this.needs(scope)), ...(await this.threadsToEnd(scope))];
    const named = await this.namedParts(scope, rules);
    const root = newField<UsedByDto>();
    for (const { when, uses } of rules) {
      // The templates of a rule are used only if its condition is true.
      for (const { use, by } of uses) {
        addUse(root, { ...use, needed: use.needed && (when === null || by.part === 'when') }, named(by));
      }
    }
    const unchecked = rules.flatMap((rule) => rule.unchecked.map(named));
    return { ...contextSchema(root), ...(unchecked.length > 0 && { 'x-not-checked': unchecked }) };
  }

  /** Refuses a context that lacks a needed field. */
  async check(scope: Scope, context: Context): Promise<void> {
    const errors: FieldErrors = {};
    for (const rule of await this.needs(scope)) {
      for (const path of lackingFor(rule, context)) {
        if (Object.keys(errors).length < MAX_LISTED) (errors[`context.${path}`] ??= []).push(neededBy(rule));
      }
    }
    if (hasErrors(errors)) throw invalid(errors);
  }

  private async needs({ organizationId, eventId }: Scope): Promise<RuleNeeds[]> {
    const values = [organizationId, eventId];
    const { rows } = await this.database.query<{ rulesetId: number | null }>('event-ruleset', CURRENT_RULESET, values);
    if (!rows[0]) throw notFound('event');
    return this.ofRuleset(organizationId, rows[0].rulesetId);
  }

  /** A trigger of an event with `resolves_event` says by these fields what is over. */
  private async threadsToEnd({ organizationId, eventId }: Scope): Promise<RuleNeeds[]> {
    const values = [organizationId, eventId];
    const { rows } = await this.database.query<{ rulesetId: number | null }>('ended-ruleset', ENDED_RULESET, values);
    const rules = await this.ofRuleset(organizationId, rows[0]?.rulesetId ?? null);
    return rules
      .filter(({ hasSteps }) => hasSteps)
      .map((rule) => ({ ...rule, unchecked: [], uses: rule.uses.filter(({ by }) => by.part === 'thread') }));
  }

  private async ofRuleset(organizationId: number, id: number | null): Promise<RuleNeeds[]> {
    return id === null ? [] : ((await this.cache.fetch(id, { context: organizationId })) ?? []);
  }

  private async load(organizationId: number, id: number): Promise<RuleNeeds[]> {
    const { rows } = await this.database.query<{ rules: Rule[] }>('load-ruleset', LOAD_RULESET, [organizationId, id]);
    return needsOf(rows[0]?.rules ?? []);
  }

  /** Looks up the slugs of the channels. They are not cached: a slug may change, a ruleset does not. */
  private async namedParts({ organizationId }: Scope, rules: RuleNeeds[]): Promise<(part: RulePart) => UsedByDto> {
    const parts = rules.flatMap(({ uses, unchecked }) => [...uses.map(({ by }) => by), ...unchecked]);
    const ids = [...new Set(parts.flatMap(({ channel }) => channel ?? []))];
    const channels = await this.prisma.channel.findMany({
      where: { organizationId, id: { in: ids } },
      select: { id: true, slug: true },
    });
    const slugs = new Map(channels.map(({ id, slug }) => [id, slug]));
    return ({ notification, channel, part }) => ({ notification, channel: slugs.get(channel ?? 0) ?? null, part });
  }
}

const neededBy = ({ name }: RuleNeeds) => fieldError('required', `must be given: the notification "${name}" needs it`);
