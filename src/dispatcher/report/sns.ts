import { verify } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Outbound } from '../outbound/outbound.js';
import { entryOf, textOf } from './fields.js';

const NOTIFICATION = ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'];
const CONFIRMATION = ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'];

/** Only Amazon's own hosts, and of these only those of SNS: a region such as `eu-west-1`, and not a bucket of S3. */
const HOST = /^sns\.[a-z]{2}(?:-[a-z]{2,12}){1,3}-\d{1,2}\.amazonaws\.com(?:\.cn)?$/;
const CERTIFICATE = /^\/SimpleNotificationService-[A-Za-z0-9]{1,80}\.pem$/;

const ALGORITHMS: Readonly<Record<string, string>> = { 1: 'RSA-SHA1', 2: 'RSA-SHA256' };

/** Certificates by URL. There are a handful, one for each region. */
const certificates = new LRUCache<string, string>({ max: 50, ttl: 24 * 60 * 60 * 1000 });

const TOPIC = /^arn:aws[a-z-]*:sns:[a-z0-9-]+:\d{12}:[A-Za-z0-9_-]{1,256}$/;

/** Why a text is not the ARN of a topic; null: it is. */
export const problemWithTopic = (text: string): string | null =>
  TOPIC.test(text) ? null : 'must be the ARN of the SNS topic, such as arn:aws:sns:eu-west-1:123456789012:mail';

type SnsMessage = Readonly<Record<string, unknown>>;

/** Checks messages of Amazon SNS, and confirms the subscription that they ask for. */
export class Sns {
  constructor(private readonly outbound: Pick<Outbound, 'getText'>) {}

  /** Whether SNS signed the message for this topic. Every Amazon customer can send signed messages of their own topics. */
  async isOfTopic(message: SnsMessage, topic: string): Promise<boolean> {
    const url = urlOfSns(message.SigningCertURL);
    const algorithm = entryOf(ALGORITHMS, textOf(message.SignatureVersion));
    if (message.TopicArn !== topic || url === null || !CERTIFICATE.test(url.pathname) || url.search !== '')
      return false;
    if (algorithm === undefined) return false;
    const signature = Buffer.from(textOf(message.Signature), 'base64');
    try {
      return verify(algorithm, Buffer.from(signedText(message)), await this.certificate(url.href), signature);
    } catch {
      return false; // no certificate, or not one
    }
  }

  /** Follows the URL of a message that was found to be of the topic. Returns whether SNS took it. */
  async confirm({ SubscribeURL }: SnsMessage): Promise<boolean> {
    const url = urlOfSns(SubscribeURL);
    if (url === null || url.searchParams.get('Action') !== 'ConfirmSubscription') return false;
    const { status } = await this.outbound.getText(url.href).catch(() => ({ status: 0 }));
    return status === 200;
  }

  private async certificate(url: string): Promise<string> {
    const known = certificates.get(url);
    if (known !== undefined) return known;
    const { status, text } = await this.outbound.getText(url);
    if (status !== 200) throw new Error(`no certificate: ${status}`);
    certificates.set(url, text);
    return text;
  }
}

function urlOfSns(value: unknown): URL | null {
  const text = textOf(value);
  const url = URL.canParse(text) ? new URL(text) : null;
  const isOfSns = url?.protocol === 'https:' && url.port === '' && url.username === '' && HOST.test(url.hostname);
  return isOfSns ? url : null;
}

const signedText = (message: SnsMessage): string =>
  (message.Type === 'Notification' ? NOTIFICATION : CONFIRMATION)
    .filter((name) => message[name] !== undefined && message[name] !== null)
    .map((name) => `${name}\n${textOf(message[name])}\n`)
    .join('');
