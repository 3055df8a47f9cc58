export interface HttpAnswer {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  /** The first 1 KB. */
  text: string;
}

const KEPT_BYTES = 1024;
// Leaving an answer unread costs its connection: reading a little on is cheaper than connecting again, reading all is not.
const DRAINED_BYTES = 64 * 1024;

export async function readAnswer(answer: {
  statusCode: number;
  headers: Record<string, string | string[] | undefined>;
  body: AsyncIterable<Buffer>;
}): Promise<HttpAnswer> {
  const headers = Object.entries(answer.headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]);
  return { status: answer.statusCode, headers: Object.fromEntries(headers), text: await firstBytes(answer.body) };
}

async function firstBytes(body: AsyncIterable<Buffer>): Promise<string> {
  const kept: Buffer[] = [];
  let seen = 0;
  try {
    for await (const chunk of body) {
      if (seen < KEPT_BYTES) kept.push(chunk.subarray(0, KEPT_BYTES - seen));
      seen += chunk.length;
      if (seen > DRAINED_BYTES) break;
    }
  } catch {
    // The status is the answer, and it is here: a body that stalls or breaks off does not undo it.
  }
  return Buffer.concat(kept).toString('utf8');
}
