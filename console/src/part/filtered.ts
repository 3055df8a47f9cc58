/** The items read so far that contain the words. For lists that the service does not search. */
export function filtered<Item, List extends object>(
  list: List & { items: Item[] | undefined },
  words: string | undefined,
  textOf: (item: Item) => string,
): List & { items: Item[] | undefined } {
  if (!words) return list;
  const wanted = words.toLowerCase();
  return { ...list, items: list.items?.filter((item) => textOf(item).toLowerCase().includes(wanted)) };
}
