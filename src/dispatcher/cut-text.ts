const characters = new Intl.Segmenter();

/** Cuts a text to `maxLength` UTF-16 units. A cut text ends with the mark, and no character is cut in two. */
export function cutText(text: string, maxLength: number, mark = '…'): string {
  if (text.length <= maxLength) return text;
  const room = Math.max(0, maxLength - mark.length);
  const end = characters.segment(text.slice(0, maxLength + 1)).containing(room)?.index ?? 0;
  return `${text.slice(0, end)}${mark.slice(0, Math.max(0, maxLength))}`;
}

/**
 * The longest cut of a text, up to `maxLength`, that fits a payload. A character takes one to six bytes in JSON, so the
 * length is found by trying.
 */
export function cutToFit(text: string, maxLength: number, fits: (cut: string) => boolean): string {
  if (fits(cutText(text, maxLength))) return cutText(text, maxLength);
  let fitting = 1;
  let tooLong = maxLength;
  while (tooLong - fitting > 1) {
    const middle = Math.floor((fitting + tooLong) / 2);
    if (fits(cutText(text, middle))) fitting = middle;
    else tooLong = middle;
  }
  return cutText(text, fitting);
}
