import { pickName } from '../generate/request.mjs';

const REQUESTS = 40;
/**
 * How many of the requests that may change something are made without a fault on purpose. A change costs as much as ten refusals: the
 * service writes it down in the audit log, too.
 */
const FAULTLESS = 0.3;
/** Each may be rare: the service throttles an address that sends more than a hundred a minute. */
const WRONG_KEY_MS = 1500;
let wrongKeyAt = 0;

/**
 * Random requests for random operations of one tenant, one after the other.
 * @param {import('./tenant.mjs').Tenant} tenant
 * @param {import('../generate/request.mjs').Requests} requests
 * @param {import('../../../bench/torture/random.mjs').Random} random
 * @param {() => boolean} isOver
 */
export async function playEpisode(tenant, requests, random, isOver) {
  const { session } = tenant;
  const operations = [...session.operations.values()];
  for (let n = 0; n < REQUESTS && !isOver(); n++) {
    const operation = random.one(operations);
    const isFaulty = operation.method !== 'GET' && random.between(0, 1) >= FAULTLESS;
    const request = requests.make(operation, namesFor(operation, tenant, random, isFaulty), random, isFaulty);
    request.headers = { ...request.headers, ...keyFor(tenant, random) };
    const { status, text } = await session.send(operation, request);
    if (status >= 200 && status < 300 && text && !operation.isStream && !operation.isLines)
      tenant.learn(operation.id, JSON.parse(text));
  }
}

/** What the tenant always has is never deleted: most requests need it. */
function namesFor({ method, names, body }, { known }, random, isFaulty) {
  const last = names.at(-1);
  return Object.fromEntries(
    names.map((name) => {
      const of = known[name];
      // Without a body, only a name can be at fault.
      if (isFaulty && !body && name === last) return [name, pickName(undefined, random)];
      if (method === 'DELETE' && name === last)
        return [name, name === 'org' ? 'none' : pickName(of?.slice(1).length ? of.slice(1) : undefined, random)];
      if (of && random.between(0, 1) < 0.75) return [name, encodeURIComponent(of[0])];
      return [name, pickName(of, random)];
    }),
  );
}

function keyFor({ operator, bound }, random) {
  const chance = random.between(0, 1);
  if (chance < 0.9) return operator;
  if (chance < 0.97) return bound ?? operator;
  if (chance < 0.98 && Date.now() - wrongKeyAt > WRONG_KEY_MS) {
    wrongKeyAt = Date.now();
    return { authorization: 'Key crl_wrong' };
  }
  return {};
}
