const characters = new Intl.Segmenter();

/** The text in at most `longest` UTF-16 units. A cut shows as an ellipsis, and no character is cut in two. */
export function cutText(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const end = characters.segment(text.slice(0, longest + 1)).containing(longest - 1)?.index;
  return `${text.slice(0, end)}…`;
}
