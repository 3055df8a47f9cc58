import { Injectable } from '@nestjs/common';
import { actorOf } from '../../auth/scope.js';
import type { Scope } from '../../auth/scope.js';
import { positiveInt } from '../../platform/field/positive-int.js';
import { Listing } from '../../platform/http/list/listing.js';
import { afterId } from '../../platform/http/list/page.js';
import type { Page } from '../../platform/http/list/page.js';
import { notFound } from '../../platform/http/problem.js';
import { PrismaService } from '../../platform/database/prisma.service.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { StoredBytes } from '../../auth/quota/stored-bytes.js';
import { translationGaps } from '../../rules/language/translation-gaps.js';
import type { TranslatedFrom } from '../../rules/language/translation-gaps.js';
import type { DigestRule } from '../../rules/ruleset/rule.js';
import { withMjml } from '../../rules/template/mjml/convert-parts.js';
import type { ByLanguage } from '../../rules/template/mjml/convert-parts.js';
import { NotificationChanges } from './notification-changes.js';
import type {
  CreateNotificationDto,
  FlushedDto,
  NotificationDto,
  TemplateDto,
  TranslationGapDto,
  UpdateNotificationDto,
} from './notification.dto.js';
import { AUDIT_FLUSH, FIND_NOTIFICATIONS, FLUSH_DIGESTS } from './notification.sql.js';
import { digestText } from './read-waiting.js';
import { stepText } from './step/read-steps.js';
import { UnreachedSteps } from './step/unreached-steps.js';
import type { NamedStep } from './step/read-steps.js';

/** Told about what is saved all the same: the header of the response, and what it names. */
type Warn = (header: 'Unknown-Fields' | 'Unreached-Steps', names: string[]) => void;

/** The rules of an event. Every change creates a new ruleset; earlier occurrences keep the ruleset they were triggered with. */
@Injectable()
export class NotificationService {
  constructor(
    private readonly prisma: PrismaService,
    private readonly stored: StoredBytes,
    private readonly changes: NotificationChanges,
    private readonly unreached: UnreachedSteps,
  ) {}

  list(scope: Scope, page: Page) {
    const read = (after: string | null, limit: number) => this.find(scope, afterId(after), null, limit);
    return new Listing(page, read, show, ({ id }) => id);
  }

  async get(scope: Scope, id = idOf(scope), client: Transaction = this.prisma): Promise<NotificationDto> {
    const [row] = await this.find(scope, 0, id, 1, client);
    if (!row) throw notFound('notification');
    return show(row);
  }

  create(scope: Scope, body: CreateNotificationDto, warn: Warn): Promise<NotificationDto> {
    return this.put(scope, null, body, warn);
  }

  async update(scope: Scope, body: UpdateNotificationDto, warn: Warn): Promise<NotificationDto> {
    const { id } = await this.get(scope);
    // Without it, a notification can be switched off although the storage is full.
    if (body.templates) this.stored.requireSpace(scope.organizationId, scope.quotas);
    return this.put(scope, id, body, warn);
  }

  private async put(scope: Scope, given: number | null, body: UpdateNotificationDto, warn: Warn) {
    const options = { warn: (fields: string[]) => warn('Unknown-Fields', fields) };
    const saved = await this.changes.put(scope, given, body, (tx, id) => this.get(scope, id, tx), options);
    if (saved.steps?.some(({ to }) => to !== undefined)) {
      const unreached = await this.unreached.ofSaved(saved.id);
      warn('Unreached-Steps', [...new Set(unreached.map(({ step }) => String(step)))]);
    }
    return saved;
  }

  async remove(scope: Scope): Promise<void> {
    const id = idOf(scope);
    await this.changes.remove(scope, id, (tx) => this.get(scope, id, tx));
  }

  /** The open digests are due now. The worker that closes them sends them. */
  async flush(scope: Scope): Promise<FlushedDto> {
    const { id, name } = await this.get(scope);
    const { organizationId, path } = scope;
    return this.prisma.change(actorOf(scope), async (tx) => {
      const digests = await tx.$executeRawUnsafe(FLUSH_DIGESTS, organizationId, id);
      await tx.$executeRawUnsafe(AUDIT_FLUSH, organizationId, [path.prj, path.app, path.evt, name].join('/'));
      return { digests };
    });
  }

  private find({ eventId }: Scope, after: number, id: number | null, limit: number, client: Transaction = this.prisma) {
    return client.$queryRawUnsafe<NotificationRow[]>(FIND_NOTIFICATIONS, eventId, after, id, limit);
  }
}

type StoredTemplate = Omit<TemplateDto, 'mjml'> & { mjml: ByLanguage | null };
type TemplateRow = StoredTemplate & { translatedFrom: TranslatedFrom | null };

interface NotificationRow extends Omit<NotificationDto, 'digest' | 'steps' | 'templates' | 'translation_gaps'> {
  digest: DigestRule | null;
  steps: NamedStep[] | null;
  templates: TemplateRow[];
  isCut: boolean;
}

function show(row: NotificationRow): NotificationDto {
  const { isCut: _, digest, steps, templates, ...notification } = row;
  return {
    ...notification,
    digest: digest && digestText(digest),
    steps: steps && steps.map(stepText),
    templates: templates.map(({ translatedFrom: __, ...template }) => asWritten(template)),
    translation_gaps: templates.flatMap(gapsOf),
  };
}

const asWritten = ({ mjml, ...template }: StoredTemplate): TemplateDto => withMjml({ ...template, mjml: null }, mjml);

function gapsOf({ translatedFrom, ...stored }: TemplateRow): TranslationGapDto[] {
  const { channel, translations, ...base } = asWritten(stored);
  return translationGaps(base, translations ?? {}, translatedFrom ?? {}).map(({ language, part, of }) => ({
    ...{ channel, language, part, of },
    state: of === null ? 'missing' : 'outdated',
  }));
}

function idOf({ path }: Scope): number {
  const id = positiveInt(path.notification ?? '');
  if (id === null) throw notFound('notification');
  return id;
}
