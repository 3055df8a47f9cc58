/** Whether a key belongs to a text field, a dialog or a shortcut of the browser, and not to the page. */
export function isTyping(event: KeyboardEvent): boolean {
  const target = event.target as HTMLElement;
  const isField = target.closest('input, textarea, select, [contenteditable], [role="dialog"], [role="menu"]');
  return Boolean(isField) || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented;
}
