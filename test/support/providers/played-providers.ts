import { AsyncLocalStorage } from 'node:async_hooks';
import type { Dispatcher } from '../../../src/dispatcher/dispatcher.js';
import { DISPATCHERS } from '../../../src/dispatcher/dispatcher.module.js';
import { Outbound } from '../../../src/dispatcher/outbound/outbound.js';
import type { TestApp } from '../app/app.js';
import { HttpSink, type HttpReply, type ReceivedRequest } from '../sinks/http-sink.js';

/** A request, with the URL that it was meant for. */
export interface PlayedRequest extends Pick<ReceivedRequest, 'method' | 'headers' | 'body'> {
  url: URL;
}

type Answer = (request: PlayedRequest) => HttpReply;

/**
 * Plays every provider at once, on loopback: whatever the dispatchers of an app send goes to one server, which knows for which organization a message is.
 * Nothing else is replaced. A request outside of a message fails, so that no test reaches the internet.
 */
export class PlayedProviders {
  readonly requests = new Map<string, PlayedRequest[]>();
  private readonly answers = new Map<string, Answer>();

  /** Of which organization the message is that is sent now. */
  private readonly sending = new AsyncLocalStorage<string>();

  private constructor(private readonly sink: HttpSink) {
    sink.reply = (received) => this.replyTo(received);
  }

  static async start(app: TestApp): Promise<PlayedProviders> {
    const played = new PlayedProviders(await HttpSink.start());
    const { sending } = played;
    for (const dispatcher of app.app.get<ReadonlyMap<string, Dispatcher>>(DISPATCHERS).values()) {
      const send = dispatcher.send.bind(dispatcher);
      dispatcher.send = (message, config, channelId) =>
        sending.run(message.about.organization, () => send(message, config, channelId));
    }
    const outbound = app.app.get(Outbound);
    const post = outbound.post.bind(outbound);
    outbound.post = (url, options) => {
      const organization = sending.getStore();
      if (organization === undefined) throw new Error(`${url} is called outside of a message`);
      // The server speaks HTTP/1 with those, too, that are sent to over HTTP/2.
      const plain = { ...options, session: undefined };
      return post(played.sink.url(`/${organization}/${encodeURIComponent(url)}`), plain);
    };
    return played;
  }

  /** How the provider of this organization's channel answers. */
  answer(organization: string, answer: Answer): void {
    this.answers.set(organization, answer);
    this.requests.set(organization, []);
  }

  close(): Promise<void> {
    this.sending.disable();
    return this.sink.close();
  }

  private replyTo({ method, path, headers, body }: ReceivedRequest): HttpReply {
    const [, organization = '', url = ''] = path.split('/');
    const request = { method, headers, body, url: new URL(decodeURIComponent(url)) };
    if (request.url.href === 'https://oauth2.googleapis.com/token')
      return { status: 200, body: '{"access_token":"token-of-the-example","expires_in":3599}' };
    this.requests.get(organization)?.push(request);
    return this.answers.get(organization)?.(request) ?? { status: 500, body: 'nobody plays this provider' };
  }
}
