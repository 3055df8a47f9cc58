/** One server-sent event. */
export interface StreamEvent<Data> {
  /** Send it as `Last-Event-ID` to resume after this event, if the stream supports that. */
  id: number | undefined;
  event: string;
  data: Data;
}

/** Yields the events of a stream until it ends. Leaving the loop closes the stream. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent<unknown>> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const blocks = (rest + decoder.decode(value, { stream: true })).split('\n\n');
      rest = blocks.pop()!;
      for (const block of blocks) {
        const fields = fieldsOf(block);
        if (fields.data) yield { id: fields.id, event: fields.event ?? 'message', data: JSON.parse(fields.data) };
      }
    }
  } finally {
    await reader.cancel();
  }
}

function fieldsOf(block: string): { id: number | undefined; event: string | undefined; data: string | undefined } {
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1];
  const id = field('id');
  return { id: id === undefined ? undefined : Number(id), event: field('event'), data: field('data') };
}
