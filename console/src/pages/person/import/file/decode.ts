/** The text of a file: UTF-8 or UTF-16, and what is neither is what Windows wrote before them. */
export function decode(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  // Without a mark at the beginning, UTF-16 shows in the zero bytes of its Latin letters.
  if (first === 0 && second !== 0) return new TextDecoder('utf-16be').decode(bytes);
  if (first !== 0 && second === 0) return new TextDecoder('utf-16le').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
