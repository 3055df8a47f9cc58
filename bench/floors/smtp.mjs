// Bare SMTP connections that stay open and send one prebuilt message repeatedly, each time with a new id.
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import { now } from '../measure/clock.mjs';
import { answerParent } from '../world/parent.mjs';

function open(port) {
  const connection = new SMTPConnection({ host: '127.0.0.1', port, ignoreTLS: true });
  return new Promise((resolve, reject) => {
    connection.once('error', reject);
    connection.connect(() => resolve(connection));
  });
}

const send = (connection, content) =>
  new Promise((resolve, reject) => {
    const envelope = { from: 'no-reply@bench.test', to: ['someone@bench.test'] }; // a new object each time: nodemailer changes it
    connection.send(envelope, content, (error) => (error ? reject(error) : resolve()));
  });

async function run({ port, content, messages, connections }) {
  const [before, after] = content.split(/(?<=Message-ID: <)[^@]+/);
  const opened = await Promise.all(Array.from({ length: connections }, () => open(port)));
  const start = now();
  let sent = 0;
  const sendOver = async (connection) => {
    while (sent < messages) await send(connection, `${before}floor=2E${++sent}${after}`);
  };
  await Promise.all(opened.map(sendOver));
  const ms = now() - start;
  opened.forEach((connection) => connection.quit());
  return { ms };
}

answerParent({ run });
