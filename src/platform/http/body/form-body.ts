const MAX_FIELDS = 2000;

/** The fields of a form, as browsers and mail programs send it. Anything else counts as an empty form. */
export function parseForm(bytes: Buffer, contentType = ''): URLSearchParams {
  const boundary = /^multipart\/form-data\s*;.*\bboundary=(?:"([^"]{1,200})"|([^\s;"]{1,200}))/i.exec(contentType);
  if (boundary) return parseMultipart(bytes.toString(), boundary[1] ?? boundary[2]!);
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(contentType);
  return new URLSearchParams(isForm ? bytes.toString() : '');
}

/** Files are left out: no form of ours has any. */
function parseMultipart(text: string, boundary: string): URLSearchParams {
  const form = new URLSearchParams();
  // Without the text before the first boundary and after the last one.
  const parts = `\r\n${text}`.split(`\r\n--${boundary}`).slice(1, MAX_FIELDS);
  for (const part of parts) {
    const end = part.indexOf('\r\n\r\n');
    const name = /^content-disposition:\s*form-data;(?!.*\bfilename).*\bname="([^"]*)"/im.exec(part.slice(0, end))?.[1];
    if (end !== -1 && name !== undefined) form.append(name, part.slice(end + 4));
  }
  return form;
}
