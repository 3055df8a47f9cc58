/** The addresses in a pasted text: one per line or separated, alone or as mail programs write them, such as `Ann Lee <ann@example.com>`. */
export function addressesIn(pasted: string): string[] {
  return pasted.split(/[\n,;]+/).flatMap((part) => {
    const [, address] = /<([^<>]*)>/.exec(part) ?? [];
    return address === undefined ? part.split(/\s+/).filter(Boolean) : [address.trim()];
  });
}
