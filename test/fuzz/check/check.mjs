const PROBLEM = 'application/problem+json';
const NDJSON = 'application/x-ndjson';

/**
 * @typedef {object} Answer
 * @property {number} [status]
 * @property {Record<string, string | string[] | undefined>} [headers] by their names in lower case
 * @property {string} [text]
 * @property {string} [lost] why there is no answer
 * @property {boolean} [isHang] whether the time ran out
 */
/** @typedef {{ kind: string, text: string }} Finding */

/** The promises that a run checks, in the order of the report. */
export const PROMISES = {
  '5xx': 'no answer is a 5xx',
  status: 'every status is documented',
  schema: 'every answer matches its schema',
  accepted: 'a request that the contract refuses is refused',
  hang: 'every request is answered in time',
  lost: 'no connection is lost',
  sequence: 'create, use, delete, use again',
  race: '64 racing clients leave consistent rows',
  raw: 'any bytes get a problem or an answer',
  memory: 'memory does not grow',
  coverage: 'every operation succeeds at least once',
};

/**
 * What is wrong with an answer.
 * @param {import('./contract.mjs').Operation} operation
 * @param {import('../generate/request.mjs').Request} request
 * @param {Answer} answer
 * @returns {Finding | null}
 */
export function findingOf(operation, request, answer) {
  const { status, headers, text } = answer;
  if (answer.isHang) return { kind: 'hang', text: `no answer: ${answer.lost}` };
  if (status === undefined) return request.mayBeCut ? null : { kind: 'lost', text: `no answer: ${answer.lost}` };
  if (status >= 500) return { kind: '5xx', text: `${status} ${headers['x-request-id'] ?? ''} ${text}` };
  const documented = operation.answers.get(status);
  if (!documented) return { kind: 'status', text: `${status} is not documented: ${text}` };
  if (status < 300 && !isAllowed(operation, request))
    return { kind: 'accepted', text: `${status}, although the contract refuses the request` };
  const mismatch = headerProblem(answer) ?? bodyProblem(documented, answer, operation.isStream);
  return mismatch && { kind: 'schema', text: `${status}: ${mismatch}` };
}

function headerProblem({ status, headers }) {
  if (!headers['x-request-id']) return 'the header X-Request-Id is missing';
  if (status === 429 && !/^\d+$/.test(String(headers['retry-after']))) return 'the header Retry-After is missing';
  return null;
}

function bodyProblem({ types }, { status, headers, text }, isStream) {
  if (types.size === 0) return text === '' ? null : `a body, although none is documented: ${text}`;
  const type = String(headers['content-type'] ?? '').split(';', 1)[0];
  const validate = types.get(type);
  if (!validate) return `the content type "${type}" is not documented`;
  if (isStream && status === 200) return eventProblem(text, validate);
  if (type === NDJSON) return lineProblem(text);
  const value = parse(text);
  if (value === undefined) return `the body is not JSON: ${text.slice(0, 200)}`;
  const problem = validate(value);
  if (problem) return `${problem} in ${text.slice(0, 300)}`;
  return type === PROBLEM && value.status !== status ? `the problem says ${value.status}` : null;
}

function lineProblem(text) {
  const wrong = text.split('\n').find((line) => line !== '' && typeof parse(line)?.kind !== 'string');
  return wrong === undefined ? null : `a line is not an object with a kind: ${wrong.slice(0, 200)}`;
}

/** Of a stream, the events that arrived whole. */
function eventProblem(text, validate) {
  const events = text.split('\n\n').slice(0, -1);
  for (const event of events) {
    const data = event
      .split('\n')
      .filter((line) => line.startsWith('data:'))
      .map((line) => line.slice(5).trim())
      .join('\n');
    if (data === '') continue;
    const value = parse(data);
    const problem = value === undefined ? 'is not JSON' : validate(value);
    if (problem) return `${problem} in the event ${data.slice(0, 300)}`;
  }
  return null;
}

/** Whether the contract allows the query, the headers and the body of a request. */
function isAllowed(operation, { query, headers, body, isJson = true }) {
  for (const { name, required, accepts } of operation.query) {
    const value = query[name];
    if (value === undefined ? required : !accepts(value)) return false;
  }
  for (const { name, accepts } of operation.headers) {
    const value = headers[name.toLowerCase()];
    if (value !== undefined && !accepts(value)) return false;
  }
  if (!operation.body) return true;
  if (body === undefined || body.length === 0) return !operation.body.required;
  if (!isJson) return false;
  const value = parse(String(body).replace(/^\uFEFF/, ''));
  return value !== undefined && operation.body.accepts(value);
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
