/** The items read so far that contain the words. For lists that the service does not search. */
export function filtered<List extends { items: unknown[] | undefined }>(
  list: List,
  words: string | undefined,
  textOf: (item: NonNullable<List['items']>[number]) => string,
): List {
  if (!words) return list;
  const wanted = words.toLowerCase();
  return { ...list, items: list.items?.filter((item) => textOf(item).toLowerCase().includes(wanted)) };
}
