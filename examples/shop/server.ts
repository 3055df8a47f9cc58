import express from 'express';

const { CARILLON_URL = 'http://127.0.0.1:3000', CARILLON_KEY, PORT = '4400' } = process.env;

async function carillon(path: string, body: object): Promise<object> {
  const headers = { Authorization: `Key ${CARILLON_KEY}`, 'Content-Type': 'application/json' };
  const url = `${CARILLON_URL}/api/o/acme/${path}`;
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as object;
}

const trigger = (event: string, recipient: string | object, context: object = {}) =>
  carillon(`p/shop/a/web/e/${event}/trigger/`, { context, options: { recipients: [recipient] } });

const app = express().use(express.json());
app.post('/customers', async ({ body: { email, name } }, answer) => {
  answer.json(await trigger('signed-up', { email, first_name: name })); // creates the user, too
});
app.post('/orders', async ({ body: { email, order, total } }, answer) => {
  answer.json(await trigger('order-paid', email, { order, total }));
});
app.get('/token', async ({ query: { email } }, answer) => {
  answer.json(await carillon(`u/${String(email)}/token/`, {})); // for <carillon-inbox>; take the e-mail from your session
});
app.listen(Number(PORT), '127.0.0.1', () => console.log(`The shop listens on http://127.0.0.1:${PORT}`));
