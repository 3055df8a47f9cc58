// Bare node:http that parses the body, inserts one row and answers 201.
import { createServer } from 'node:http';
import { Pool } from 'pg';
import { uuidV7 } from '../../dist/platform/field/uuid-v7.js';
import { answerParent, options } from '../world/parent.mjs';

const { databaseUrl, organizationId, eventId } = options;
const pool = new Pool({ connectionString: databaseUrl, max: 10 });

const INSERT = {
  name: 'insert',
  text: `insert into occurrences (id, organization_id, event_id, ruleset_id, context, options) values ($1, $2, $3, null, $4, $5)`,
};

async function store(text) {
  const { context = {}, options = {} } = JSON.parse(text);
  const id = uuidV7();
  await pool.query({
    ...INSERT,
    values: [id, organizationId, eventId, JSON.stringify(context), JSON.stringify(options)],
  });
  return id;
}

const server = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', async () => {
    const body = JSON.stringify({ occurrence: await store(Buffer.concat(chunks).toString()) });
    const headers = { 'content-type': 'application/json; charset=utf-8', 'content-length': body.length };
    response.writeHead(201, headers).end(body);
  });
});
server.listen(0, '127.0.0.1', () => answerParent({}, { url: `http://127.0.0.1:${server.address().port}` }));
