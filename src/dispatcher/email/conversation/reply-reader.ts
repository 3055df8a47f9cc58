/** Turns what a server sends into replies, each with all of its lines. The caller limits how long a reply may be. */
export class ReplyReader {
  /** A line whose end has not come. One character for each byte: a letter may come in two chunks. */
  private begun = '';
  /** The lines of a reply whose last line has not come. */
  private lines: string[] = [];

  read(chunk: Buffer): string[] {
    const lines = (this.begun + chunk.toString('latin1')).split('\n');
    this.begun = lines.pop()!;
    const replies: string[] = [];
    for (const line of lines) {
      const text = line.endsWith('\r') ? line.slice(0, -1) : line;
      // Some servers send empty lines between replies.
      if (this.lines.length === 0 && text.trim() === '') continue;
      this.lines.push(text);
      if (/^\d+-/.test(text)) continue;
      replies.push(decoded(this.lines.join('\n')));
      this.lines = [];
    }
    return replies;
  }
}

/** Most replies are ASCII, and the others nearly always UTF-8. */
function decoded(bytes: string): string {
  if (/^[\0-\x7f]*$/.test(bytes)) return bytes;
  const text = Buffer.from(bytes, 'latin1').toString('utf8');
  return text.includes('\ufffd') ? bytes : text;
}
