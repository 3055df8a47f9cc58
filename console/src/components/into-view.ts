/** For the part of a row that is chosen: a narrow window may show the row without it. */
export const intoView = (element: HTMLElement | null) =>
  element?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
