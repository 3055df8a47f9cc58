/**
 * Mutants that no test can notice, each with its reason. The name is file, code and change, as `npm run test:mutants` prints it for
 * those that survive.
 */
export const EQUIVALENT = [
  [
    'src/auth/quota/rate-limit.ts: left + TOLERANCE < 1 [< -> <=]',
    'They differ only if exactly a millionth of a request is missing.',
  ],
  [
    'src/auth/require-permission.decorator.ts: reach [negated]',
    'It only writes the contract, which `npm run check` compares; the service does not read it.',
  ],
  [
    "src/auth/require-permission.decorator.ts: [ApiExtension('x-reach', reach)] [without ApiExtension('x-reach', reach)]",
    'It only writes the contract, which `npm run check` compares; the service does not read it.',
  ],
  [
    'src/auth/stream-keys.ts: recipient.expiresAt.getTime() <= Date.now() [<= -> <]',
    'They differ for one millisecond.',
  ],
  [
    'src/api/session/session.service.ts: throw unauthorized(USED_LINK); [left out]',
    'It only saves a statement: no link has such a text, and the answer is the same.',
  ],
  [
    'src/auth/recipient/recipient.sql.ts: ` select distinct s.id "secretId", u.id "userId" from unnest($1::int[], $2::int[]) i(secret_id, user ... [s.id = i.secret_id -> true]',
    'It only returns more pairs, all of them valid, and each stream looks for its own.',
  ],
  [
    'src/auth/recipient/recipient.sql.ts: ` select distinct s.id "secretId", u.id "userId" from unnest($1::int[], $2::int[]) i(secret_id, user ... [u.id = i.user_id -> true]',
    'It only returns more pairs, all of them valid, and each stream looks for its own.',
  ],
  [
    'src/api/api-key/api-key.service.ts: return key; [left out]',
    'It only saves a statement: the store does not revoke a key twice, and the answer is the same.',
  ],
  [
    'src/cell/forwarding/remote-keys.ts: i < rows.length [< -> <=]',
    'With `<=` the last part is empty: nobody is asked.',
  ],
];
