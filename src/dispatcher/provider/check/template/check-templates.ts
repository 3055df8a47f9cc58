import { answerOf } from '../../../answer/answer.js';
import { failureOf } from '../../../answer/http-outcome.js';
import type { ChannelConfig, TemplateCheck } from '../../../dispatcher.js';
import type { Outbound } from '../../../outbound/outbound.js';
import { reasonOf } from '../../../outbound/outbound-error.js';
import type { ChannelTokens } from '../../../token/channel-tokens.js';
import { ProviderExchange } from '../../exchange.js';
import { plainSettings } from '../../names.js';
import { answerScope, readAnswer } from '../../outcome.js';
import type { ProviderFile, TemplateListing } from '../../provider.js';
import { secretsOf } from '../../provider-sender.js';
import { nextPage, templatesIn } from './listing.js';
import { templateProblem, type FoundTemplate, type MessageTemplate } from './template-problem.js';

interface Options {
  outbound: Outbound;
  /** Replaces the host that the file has. */
  origin: string | undefined;
  tokens: ChannelTokens;
  provider: ProviderFile;
  listing: TemplateListing;
}

/** Names that are looked up, how many at a time, pages of each, bytes of a page, and the time for all of them. */
const MAX_NAMES = 30;
const AT_A_TIME = 3;
const MAX_PAGES = 5;
const PAGE_BYTES = 512 * 1024;
const MAX_MS = 15_000;

/** The templates with a name, or why they are not known. */
type Found = FoundTemplate[] | { unknown: string };

/** Compares templates that messages name with those of the provider, in the same order. Never throws. */
export async function checkTemplates(
  options: Options,
  config: ChannelConfig,
  organization: string,
  templates: readonly MessageTemplate[],
): Promise<TemplateCheck[]> {
  const { needs } = options.listing;
  if (config[needs] === undefined || config[needs] === '')
    return templates.map(() => ({ ok: null, problem: `not checked: the setting ${needs} is not set` }));
  const lookUp = new TemplateLookUp(options, config, organization);
  const found = await lookUp.all([...new Set(templates.map(({ name }) => name))]);
  return templates.map((template) => {
    const named = found.get(template.name) ?? { unknown: 'not checked: the notifications name too many templates' };
    if ('unknown' in named) return { ok: null, problem: named.unknown };
    const problem = templateProblem(template, named);
    return problem === null ? { ok: true } : { ok: false, problem: answerOf(problem, lookUp.secrets) };
  });
}

class TemplateLookUp {
  readonly secrets: readonly string[];
  private readonly end = performance.now() + MAX_MS;

  constructor(
    private readonly options: Options,
    private readonly config: ChannelConfig,
    private readonly organization: string,
  ) {
    this.secrets = secretsOf(options.provider, config);
  }

  async all(names: readonly string[]): Promise<Map<string, Found>> {
    const found = new Map<string, Found>();
    const waiting = names.slice(0, MAX_NAMES)[Symbol.iterator]();
    const work = async () => {
      for (const name of waiting) found.set(name, await this.named(name));
    };
    await Promise.all(Array.from({ length: AT_A_TIME }, work));
    return found;
  }

  /** A provider may also list templates whose names contain this one, so there may be several pages. */
  private async named(name: string): Promise<Found> {
    const found: FoundTemplate[] = [];
    let page: string | null = '';
    for (let pages = 0; page !== null && pages < MAX_PAGES; pages++) {
      const read = await this.page(name, page);
      if ('unknown' in read) return read;
      found.push(...read.templates.filter((each) => each.name === name));
      page = read.next;
    }
    return page === null || found.length > 0 ? found : { unknown: `not checked: the provider has too many templates` };
  }

  private async page(
    name: string,
    page: string,
  ): Promise<{ templates: FoundTemplate[]; next: string | null } | { unknown: string }> {
    const { outbound, origin, tokens, provider, listing } = this.options;
    const leftMs = Math.floor(this.end - performance.now());
    if (leftMs <= 0) return { unknown: 'not checked: there was no time left' };
    try {
      const rendered = listing.request.render({ settings: this.config, template: { name }, page }, origin);
      const authorized = await new ProviderExchange(outbound, tokens, origin).authorize(rendered, null);
      if ('failure' in authorized) return unknown(authorized.failure.answer);
      const { method, url, headers, body, secrets } = authorized.request;
      // A host that customers choose is looked up on their account.
      const organization = listing.request.hosts.length > 0 ? this.organization : undefined;
      const timeoutMs = Math.min(leftMs, 10_000);
      const answer = await outbound.post(url.href, {
        ...{ method, headers, body, organization, timeoutMs },
        keptBytes: PAGE_BYTES,
      });
      const plain = plainSettings(provider.fields, this.config);
      const scope = answerScope(answer, plain);
      const templates = answer.status === 200 && !answer.isCut ? templatesIn(listing, scope) : null;
      if (templates !== null) return { templates, next: nextPage(listing, scope) };
      return unknown(readAnswer(provider, answer, plain, [...this.secrets, ...secrets]).outcome.answer);
    } catch (error) {
      return unknown(failureOf(error, this.secrets).answer || reasonOf(error));
    }
  }
}

const unknown = (answer: string) => ({ unknown: `not checked: ${answer}` });
