/** One server-sent event. Without data it only says where the stream stands. */
export interface StreamEvent {
  id: string | undefined;
  event: string;
  data: string;
}

/** No event of the service is near this size. */
const MAX_CHARACTERS = 8 * 1024 * 1024;

/** Yields the events of a stream until it ends. `onBytes` hears everything, also the comments that keep the stream alive. */
export async function* readEvents(body: ReadableStream<Uint8Array>, onBytes: () => void): AsyncGenerator<StreamEvent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      onBytes();
      const blocks = (rest + decoder.decode(value, { stream: true })).split('\n\n');
      rest = blocks.pop() ?? '';
      if (rest.length > MAX_CHARACTERS) throw new Error('An event of the stream is too large.');
      for (const block of blocks) yield parse(block);
    }
  } finally {
    // The stream may have failed: then there is nothing left to cancel.
    await reader.cancel().catch(() => undefined);
  }
}

function parse(block: string): StreamEvent {
  const field = (name: string) => new RegExp(`^${name}: ?(.*)$`, 'm').exec(block)?.[1];
  return { id: field('id'), event: field('event') ?? 'message', data: field('data') ?? '' };
}
