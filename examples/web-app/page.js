// Shows the inbox, and registers this browser as a device of the user who is logged in.

const APP = 'web-shop';
const { url, organization, username, publicKey } = await fetchJson('/settings');
const toggle = document.querySelector('#switch');
const state = document.querySelector('#state');

showInbox();
if ('serviceWorker' in navigator && 'PushManager' in window) await offerPush();
else state.textContent = 'This browser has no push messages.';

function showInbox() {
  const inbox = document.createElement('carillon-inbox');
  for (const [name, value] of Object.entries({ url, organization, username, 'token-url': '/token' }))
    inbox.setAttribute(name, value);
  document.querySelector('header').append(inbox);
}

async function offerPush() {
  await navigator.serviceWorker.register('/service-worker.js');
  const { pushManager } = await navigator.serviceWorker.ready;
  const subscription = await pushManager.getSubscription();
  // At each start: push services replace subscriptions, and Carillon forgets devices that it has not seen for 270 days.
  if (subscription) await register(subscription);
  show(subscription !== null);
  toggle.addEventListener('click', async () => {
    toggle.disabled = true;
    try {
      const isOn = await pushManager.getSubscription();
      await (isOn ? leave(isOn) : join(pushManager));
      show(!isOn);
    } catch (error) {
      state.textContent = error.message;
    }
    toggle.disabled = false;
  });
}

/** Asks the user, subscribes at the push service of the browser, and tells Carillon. */
async function join(pushManager) {
  if ((await Notification.requestPermission()) !== 'granted') throw new Error('Your browser does not allow it.');
  await register(await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey }));
}

/** Do the same before your user signs out: the next user of this browser must not get the messages. */
async function leave(subscription) {
  await call('DELETE');
  await subscription.unsubscribe();
}

function register(subscription) {
  return call('PUT', { platform: 'web', name: 'Browser', webpush: subscription });
}

/** Registers or removes this device. */
async function call(method, body) {
  const { token } = await fetchJson('/token');
  const path = `${url}/api/o/${organization}/u/${encodeURIComponent(username)}/devices/${APP}/${deviceId()}/`;
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const answer = await fetch(path, { method, headers, body: JSON.stringify(body) });
  // 404: it was removed elsewhere.
  if (!answer.ok && !(method === 'DELETE' && answer.status === 404))
    throw new Error(`Carillon answered ${answer.status}.`);
}

/** A random id, kept in this browser: whoever knows it could take the device over. */
function deviceId() {
  const id = localStorage.getItem('device') ?? crypto.randomUUID();
  localStorage.setItem('device', id);
  return id;
}

function show(isOn) {
  toggle.hidden = false;
  toggle.textContent = isOn ? 'Stop notifications here' : 'Notify me on this device';
  state.textContent = isOn ? 'This browser gets notifications.' : 'This browser gets no notifications.';
}

async function fetchJson(path) {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}.`);
  return answer.json();
}
