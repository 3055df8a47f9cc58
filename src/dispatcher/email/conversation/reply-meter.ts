interface ReplyLimits {
  replyBytes: number;
  replyLines: number;
  connectionBytes: number;
  connectionLines: number;
}

// A real reply has at most a few dozen lines (EHLO), and a connection carries about 400 replies (100 messages).
const REPLY_LIMITS: ReplyLimits = {
  replyBytes: 16 * 1024,
  replyLines: 128,
  connectionBytes: 1024 * 1024,
  connectionLines: 10_000,
};

const LINE_FEED = 0x0a;
const DASH = 0x2d;

const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;

/** Counts the bytes and lines that a server sends, in one reply and over the whole connection. */
export class ReplyMeter {
  private readonly inReply = { bytes: 0, lines: 0 };
  private readonly inConnection = { bytes: 0, lines: 0 };
  private column = 0;
  /** Whether the bytes of this line so far are all digits. */
  private onlyDigits = true;
  /** Whether this line is the last one of its reply: `250 ok`, and neither `250-ok` nor an empty line. */
  private endsReply = false;

  constructor(private readonly limits: ReplyLimits = REPLY_LIMITS) {}

  /** Counts a chunk. Returns the limit that it exceeds, or null. */
  excess(chunk: Uint8Array): string | null {
    for (const byte of chunk) {
      this.read(byte);
      const excess = this.exceeded();
      if (excess !== null) return excess;
    }
    return null;
  }

  private read(byte: number): void {
    this.inReply.bytes += 1;
    this.inConnection.bytes += 1;
    if (byte === LINE_FEED) return this.endLine();
    if (this.onlyDigits && !isDigit(byte)) {
      this.onlyDigits = false;
      this.endsReply = this.column > 0 && byte !== DASH;
    }
    this.column += 1;
  }

  private endLine(): void {
    this.inReply.lines += 1;
    this.inConnection.lines += 1;
    if (this.endsReply || (this.onlyDigits && this.column > 0)) this.inReply.bytes = this.inReply.lines = 0;
    this.column = 0;
    this.onlyDigits = true;
    this.endsReply = false;
  }

  private exceeded(): string | null {
    const { replyBytes, replyLines, connectionBytes, connectionLines } = this.limits;
    if (this.inReply.bytes > replyBytes) return `${replyBytes} bytes in one reply`;
    if (this.inReply.lines > replyLines) return `${replyLines} lines in one reply`;
    if (this.inConnection.bytes > connectionBytes) return `${connectionBytes} bytes over one connection`;
    if (this.inConnection.lines > connectionLines) return `${connectionLines} lines over one connection`;
    return null;
  }
}
