import { ConsoleLogger } from '@nestjs/common';
import type { LogLevel as NestLevel } from '@nestjs/common';
import type { Config, LogLevel } from './config.js';
import { writeLine, flushLines } from './log-lines.js';
import { visibleLines } from './visible.js';

const NEST_LEVELS: Record<LogLevel, NestLevel[]> = {
  error: ['error', 'fatal'],
  warn: ['error', 'fatal', 'warn'],
  info: ['error', 'fatal', 'warn', 'log'],
  debug: ['error', 'fatal', 'warn', 'log', 'debug'],
};

/** Sources of Nest's start-up log: about a hundred lines that help only to debug Nest itself. */
const BOOT = new Set(['NestFactory', 'InstanceLoader', 'RoutesResolver', 'RouterExplorer', 'NestApplication']);

interface Entry {
  message: string;
  [field: string]: unknown;
}

/** Logs JSON for machines, or readable lines for a terminal. */
export class CarillonLogger extends ConsoleLogger {
  constructor(
    { logLevel, logFormat }: Pick<Config, 'logLevel' | 'logFormat'>,
    private readonly stream: 'stdout' | 'stderr' = 'stdout',
  ) {
    super({ logLevels: NEST_LEVELS[logLevel] });
    this.json = logFormat === 'json';
    this.hidden = logLevel === 'debug' ? new Set() : BOOT;
  }

  private readonly json: boolean;
  private readonly hidden: ReadonlySet<string>;

  protected override printMessages(
    messages: unknown[],
    context = '',
    level: NestLevel = 'log',
    stream: 'stdout' | 'stderr' = 'stdout',
  ): void {
    if (level === 'log' && this.hidden.has(context)) return;
    for (const message of messages) {
      const entry: Entry =
        typeof message === 'object' && message !== null ? (message as Entry) : { message: String(message) };
      const line = this.json ? jsonLine(entry, context, level) : prettyLine(entry, context, level);
      this.write(line, level, this.stream === 'stderr' ? 'stderr' : stream);
    }
  }

  /** Warnings and errors are written at once: the process may end right after them. */
  private write(line: string, level: NestLevel, stream: 'stdout' | 'stderr'): void {
    if (level === 'log' && stream === 'stdout') return writeLine(line);
    flushLines();
    process[stream].write(line);
  }

  // Nest passes a stack trace separately from its message. It is logged in the same format.
  protected override printStackTrace(stack: string): void {
    if (stack) this.printMessages([{ message: stack }], '', 'error', 'stderr');
  }
}

const level = (name: NestLevel) => (name === 'log' ? 'info' : name);

function jsonLine(entry: Entry, context: string, name: NestLevel): string {
  return JSON.stringify({ time: new Date().toISOString(), level: level(name), context, ...entry }) + '\n';
}

function prettyLine({ message, ...fields }: Entry, context: string, name: NestLevel): string {
  // Further lines of a value are indented: it cannot look like a line of its own.
  const safe = (value: unknown) => visibleLines(String(value)).replaceAll('\n', '\n    ');
  const time = new Date().toTimeString().slice(0, 8);
  const rest =
    message === 'request'
      ? `${String(fields.method)} ${String(fields.path)} ${String(fields.status)} ${String(fields.ms)} ms`
      : [message, ...Object.entries(fields).map(([key, value]) => `${key}=${String(value)}`)].join(' ');
  return `${time} ${level(name).padEnd(5)} ${context.padEnd(10)} ${safe(rest)}\n`;
}
