import { LRUCache } from 'lru-cache';
import type { ChannelConfig, ConfigField, Dispatcher, Message, Outcome } from '../dispatcher.js';
import type { Outbound } from '../outbound/outbound.js';
import { reasonOf } from '../outbound/outbound-error.js';
import type { ReportReader } from '../report/report.js';
import { plainSettings } from './names.js';
import { holds } from './outcome.js';
import type { ProviderFile } from './provider.js';
import { ProviderSender } from './provider-sender.js';
import { openReports } from './report/open-reports.js';
import { KEY_FIELD } from './report/read-reports.js';
import { readDescription } from './read/read-provider.js';

const plain = { required: false, secret: false } as const;

/** Whoever changes where the message goes must give the secret again. */
const SECRET: ConfigField = {
  ...plain,
  key: 'secret',
  label: 'Secret',
  kind: 'string',
  secret: true,
  goesTo: ['description'],
  help: 'The description uses it as {{ settings.secret }}',
};

/** Bound as well: another description could tell whether a guess is the key. */
const OWN_REPORT_KEY: ConfigField = { ...KEY_FIELD, goesTo: ['description'] };

const SECRETS = [SECRET, OWN_REPORT_KEY];

const MAX_LENGTH = 16 * 1024;

const STEPS =
  'If the description has reports: enter the URL where the provider takes the address of a webhook, with the key of the reports.';

/** Sends to any HTTP API, as the channel describes it in the form of a provider file. */
export class HttpDispatcher implements Dispatcher {
  readonly type = 'http';
  readonly label = 'HTTP API';
  readonly addressKind = null;
  readonly isRoom = true;
  readonly parts = ['subject', 'text', 'html'] as const;
  readonly fields: readonly ConfigField[] = [
    {
      ...plain,
      key: 'description',
      label: 'Description',
      kind: 'text',
      required: true,
      max: MAX_LENGTH,
      problem: (text) => this.problemWith(text),
      help: 'In YAML: request, auth, outcomes, address, reports, as in a provider file',
    },
    ...SECRETS,
  ];
  readonly reportSetups = [{ service: null, steps: STEPS }];
  private readonly sender: ProviderSender;
  private readonly known = new LRUCache<string, ProviderFile>({ max: 500 });

  constructor(private readonly outbound: Outbound) {
    this.sender = new ProviderSender(outbound);
  }

  addressKindFor(config: Readonly<Record<string, unknown>>): string | null {
    if (this.problemWith(String(config.description)) !== null) return null; // sending says why
    const { address, roomIf } = this.read(String(config.description));
    return roomIf !== null && holds(roomIf, { settings: plainSettings(SECRETS, config) }) ? null : address;
  }

  check(config: ChannelConfig): string | null {
    const { reports } = this.read(String(config.description));
    if (reports === null || 'reader' in reports) return null;
    for (const { key, problem } of reports.verifiers) {
      const value = config[key];
      const wrong = typeof value === 'string' ? problem(value) : null;
      if (wrong !== null) return `${key} ${wrong}`;
    }
    return null;
  }

  reports(config: ChannelConfig): ReportReader | null {
    if (this.problemWith(String(config.description)) !== null) return null;
    return openReports({ ...this.read(String(config.description)), label: this.label }, config, this.outbound);
  }

  async send(message: Message, config: ChannelConfig): Promise<Outcome> {
    const problem = this.problemWith(String(config.description));
    // Stored by a release that read it in another way. Somebody may correct it before the retries end.
    if (problem !== null) return { kind: 'retry', answer: `the description ${problem}` };
    return this.sender.send(this.read(String(config.description)), message, config);
  }

  private problemWith(text: string): string | null {
    try {
      this.read(text);
      return null;
    } catch (error) {
      return `is not valid: ${reasonOf(error)}`;
    }
  }

  private read(text: string): ProviderFile {
    const known = this.known.get(text) ?? readDescription(text, SECRETS);
    this.known.set(text, known);
    return known;
  }
}
