import type { HttpReply, ReceivedRequest } from '../sinks/http-sink.js';
import { FakeProvider } from './fake-provider.js';

const WORKFLOW = 'c41fcb2a9d1b4c5e8f7a6b5c4d3e2f1a';
const SIGNATURE = 'made-up-for-the-tests-of-teams';
const WORKFLOW_PATH = `/workflows/${WORKFLOW}/triggers/manual/paths/invoke`;
const CONNECTOR_PATH =
  '/webhookb2/8cc4b123-8f9a-4e4b-a848-cd5aab4ba5ff@07420c3d-c141-4c67-b6f3-f448e5adb67b/IncomingWebhook/477b562fb46b43ca82379479a2137a21/96010122-e9c0-4ad8-9902-1368e16e8454';
const LARGEST_BYTES = 28 * 1024;

export interface Card {
  type: string;
  version: string;
  body: { type: string; text: string; weight?: string; wrap?: boolean }[];
}

/** The webhook of a Microsoft Teams Workflow and that of an old connector, as documented. */
export class FakeTeams extends FakeProvider {
  /** The cards that the room shows. */
  readonly cards: Card[] = [];
  /** Errors of Workflow runs that failed after the request was accepted. */
  readonly failedRuns: string[] = [];
  /** The seconds of a rate limit, which only the Workflow tells. */
  limitedFor: number | null = null;
  /** The body that the connector answers in place of `1`. */
  connectorSays: string | null = null;

  get workflowUrl(): string {
    return this.workflow(WORKFLOW, SIGNATURE);
  }

  get connectorUrl(): string {
    return this.sink.url(CONNECTOR_PATH);
  }

  workflow(id: string, signature: string): string {
    const query = `api-version=2016-06-01&sp=%2Ftriggers%2Fmanual%2Frun&sv=1.0&sig=${signature}`;
    return this.sink.url(`/workflows/${id}/triggers/manual/paths/invoke?${query}`);
  }

  protected override forget(): void {
    this.cards.length = 0;
    this.failedRuns.length = 0;
    this.limitedFor = null;
    this.connectorSays = null;
  }

  protected override reply(request: ReceivedRequest): HttpReply {
    if (request.method !== 'POST') return { status: 405 };
    return request.path === CONNECTOR_PATH ? this.answerConnector(request) : this.answerWorkflow(request);
  }

  private answerWorkflow(request: ReceivedRequest): HttpReply {
    const { pathname, searchParams } = new URL(this.sink.url(request.path));
    if (pathname !== WORKFLOW_PATH) {
      const id = pathname.split('/')[2];
      return workflowError(404, 'WorkflowNotFound', `The workflow '${id}' could not be found.`);
    }
    if (searchParams.get('sig') !== SIGNATURE) {
      const sentence = 'The request must be authenticated only by Shared Access scheme.';
      return workflowError(401, 'DirectApiAuthorizationRequired', sentence);
    }
    if (this.limitedFor !== null) {
      const headers = { 'retry-after': String(this.limitedFor) };
      return { ...workflowError(429, 'WorkflowTriggerThrottled', 'Rate limit is exceeded.'), headers };
    }
    const status = this.take(request);
    if (status !== 200) this.failedRuns.push(`HTTP ${status}`);
    return { status: 202 };
  }

  private answerConnector(request: ReceivedRequest): HttpReply {
    const status = this.limitedFor === null ? this.take(request) : 429;
    const context = 'tcid=0,server=msgapi-production-cse-azsc7-2-35,cv=h3ya2/H5Fk6NjffrwlaWTQ.0';
    const failure = `Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error ${status} with ContextId ${context}..`;
    return { status: 200, body: this.connectorSays ?? (status === 200 ? '1' : failure) };
  }

  /** The status that Teams itself answers to the message. */
  private take({ headers, body }: ReceivedRequest): number {
    if (Buffer.byteLength(body) > LARGEST_BYTES) return 413;
    if (!headers['content-type']?.startsWith('application/json')) return 415;
    const card = cardIn(body);
    if (card === null) return 400;
    this.cards.push(card);
    return 200;
  }
}

function cardIn(body: string): Card | null {
  const { type, attachments } = JSON.parse(body) as {
    type?: string;
    attachments?: { contentType: string; content: Card }[];
  };
  const [attachment] = attachments ?? [];
  if (type !== 'message' || attachment?.contentType !== 'application/vnd.microsoft.card.adaptive') return null;
  const { content } = attachment;
  const isRead = content.type === 'AdaptiveCard' && /^1\.[0-5]$/.test(content.version) && content.body.length > 0;
  return isRead && content.body.every((block) => block.type === 'TextBlock' && block.text !== '') ? content : null;
}

function workflowError(status: number, code: string, message: string): Exclude<HttpReply, string> {
  return { status, body: JSON.stringify({ error: { code, message } }) };
}
