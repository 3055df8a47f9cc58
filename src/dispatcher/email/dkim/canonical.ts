/** A header field by the relaxed rules of RFC 6376 (3.4.2), without its line end. */
export function relaxedHeader(field: string): string {
  const colon = field.indexOf(':');
  const value = field
    .slice(colon + 1)
    .replace(/\r\n/g, '')
    .replace(/[ \t]+/g, ' ');
  return `${field.slice(0, colon).trimEnd().toLowerCase()}:${value.trim()}`;
}

/** Whole lines of a body by the relaxed rules of RFC 6376 (3.4.4). Two steps, each of which takes linear time. */
export function relaxedLines(lines: string): string {
  return lines.replace(/[ \t]+/g, ' ').replaceAll(' \r\n', '\r\n');
}

/** The last lines of a body, or all of it: empty lines at the end do not count, and the last line has a line end. */
export function relaxedEnd(lines: string): string {
  const relaxed = relaxedLines(`${lines}\r\n`);
  let end = relaxed.length;
  while (relaxed.endsWith('\r\n', end)) end -= 2;
  return end === 0 ? '' : `${relaxed.slice(0, end)}\r\n`;
}
