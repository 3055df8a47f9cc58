import { CommanderError } from 'commander';
import { loadEnvFile } from '../../platform/config/config.js';
import { describeError } from '../../platform/config/describe-error.js';
import { visibleLines } from '../../platform/config/visible.js';
import { createProgram } from './command/program.js';

interface Mishap {
  code?: string;
  port?: number;
  path?: string;
  /** Of each address that was tried. */
  errors?: Mishap[];
}

/** Runs a command and returns the exit code. Prints an error as one line. */
export async function carillon(args: string[]): Promise<number> {
  try {
    loadEnvFile();
    await createProgram().parseAsync(args, { from: 'user' });
    return Number(process.exitCode ?? 0);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode;
    process.stderr.write(`carillon: ${visibleLines(describe(error))}\n`);
    return 1;
  }
}

const NOT_WRITABLE = ['EACCES', 'EPERM', 'EROFS'];
/** Network errors, and the codes of PostgreSQL for a wrong password, no right to connect, and a database that does not exist. */
const NOT_CONNECTED = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ETIMEDOUT',
  '28P01',
  '28000',
  '3D000',
];

/** Codes of Node for a certificate that is not accepted. */
const NOT_TRUSTED = /SELF_SIGNED_CERT|UNABLE_TO_(VERIFY|GET)|^CERT_|ERR_TLS_CERT_ALTNAME_INVALID/;

/** What an operator can do about an error. */
function wayOut(error: unknown): string {
  const { code = '', port, path, errors } = error as Mishap;
  if (NOT_WRITABLE.includes(code) && path)
    return `. Make the folder writable for this account, or set DATA_DIR to a folder that is`;
  if (process.env.DATABASE_URL && NOT_CONNECTED.includes(code || (errors?.[0]?.code ?? '')))
    return `. Check DATABASE_URL: host, port, account, password and database. npx carillon doctor checks the rest`;
  if (process.env.DATABASE_URL && NOT_TRUSTED.test(code))
    return `. Check DATABASE_URL: sslrootcert names the CA of PostgreSQL's certificate, and the host must be one of the certificate`;
  if (code !== 'EADDRINUSE') return '';
  const setting = process.env.METRICS_PORT === String(port) ? 'METRICS_PORT' : 'PORT';
  return `. Stop the program that uses it, or choose another port, such as ${setting}=${Number(port) + 1}`;
}

function describe(error: unknown): string {
  const { stack } = error as Error;
  return process.env.LOG_LEVEL === 'debug' && stack ? stack : `${describeError(error)}${wayOut(error)}`;
}
