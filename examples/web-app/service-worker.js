// Runs in the background, also while no page is open.

// A new version takes over at once.
self.addEventListener('install', () => self.skipWaiting());

self.addEventListener('push', (event) => event.waitUntil(show(event.data.json())));

/**
 * `url`, `image` and `actions` are there if the template of the message has them, `unread` if the channel has `badge: true`, `tag` if the notification has
 * a `thread`.
 */
async function show({ title, body, url, image, actions = [], unread, tag, data }) {
  // At the icon of an installed page. Not every browser has it.
  if (unread !== undefined) await self.navigator.setAppBadge?.(unread).catch(() => {});
  await self.registration.showNotification(title || 'Web shop', {
    body,
    image,
    // A message that arrives twice is shown once. A newer one of its thread takes its place, and is announced again.
    tag: tag ?? data.occurrence,
    renotify: tag !== undefined,
    actions: actions.map(({ label }, number) => ({ action: String(number), title: label })),
    data: { url, actions },
  });
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open(targetOf(event.notification, event.action)));
});

/** Where a click leads: to the URL of the button, or of the message, or to the start page. */
function targetOf({ data }, action) {
  const { href, protocol } = new URL(data.actions[action]?.url ?? data.url ?? '/', self.location.origin);
  return /^https?:$/.test(protocol) ? href : self.location.origin;
}

/** Shows the page in a tab of this application if there is one. */
async function open(url) {
  const tabs = await self.clients.matchAll({ type: 'window' });
  const tab = url.startsWith(`${self.location.origin}/`) ? tabs[0] : undefined;
  if (!tab) return self.clients.openWindow(url);
  await tab.focus();
  return tab.navigate(url);
}
