const characters = new Intl.Segmenter();

/** The text in at most `longest` UTF-16 units. A cut shows as the mark, and no character is cut in two. */
export function cutText(text: string, longest: number, mark = '…'): string {
  if (text.length <= longest) return text;
  const end = characters.segment(text.slice(0, longest + 1)).containing(longest - mark.length)?.index;
  return `${text.slice(0, end)}${mark}`;
}
