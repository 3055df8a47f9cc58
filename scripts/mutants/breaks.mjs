/** Rules of the life of an occurrence and a delivery, each broken on purpose: test/model must notice. */
export const BREAKS = [
  {
    name: 'a canceled occurrence sends its fallbacks',
    file: 'src/engine/deliver/deliver-chunk.ts',
    from: "if (shared.status === 'canceled') return",
    to: "if (shared.status === ('' as never)) return",
  },
  {
    name: 'a retry revives what was canceled meanwhile',
    file: 'src/engine/steer/steer.sql.ts',
    from: "o.id = $1 and o.status <> 'canceled')`;",
    to: 'o.id = $1)`;',
  },
  {
    name: 'a retry of a canceled occurrence is accepted',
    file: 'src/api/occurrence/occurrence.service.ts',
    from: "if (row.occurrence === 'canceled') throw",
    to: "if (row.occurrence === '') throw",
  },
  {
    name: 'the outcome of a message that was canceled in flight is lost',
    file: 'src/engine/outcome/outcomes.sql.ts',
    from: "and (d.status = 'pending' or d.gate = 'canceled')",
    to: "and d.status = 'pending'",
  },
  {
    name: 'a cancel leaves waiting messages as they are',
    file: 'src/engine/steer/steer.sql.ts',
    from: "from batch where d.id = batch.id and d.status = 'pending'",
    to: 'from batch where false',
  },
  {
    name: 'a retry sends a message again whose fallback was tried',
    file: 'src/engine/steer/steer.sql.ts',
    from: 'not exists (select from deliveries f where',
    to: 'true or exists (select from deliveries f where',
  },
  {
    name: 'a message is sent after its expiry',
    file: 'src/rules/ruleset/message.ts',
    from: "if (isExpired(limits.expiresAt, now)) return { gate: 'expired' };",
    to: '',
  },
  {
    name: 'a switch that is off stops nothing',
    file: 'src/engine/deliver/deliver-chunk.ts',
    from: 'if (shared.off) return { off: shared.off };',
    to: '',
  },
  {
    name: 'a rejected message counts as sent',
    file: 'src/engine/outcome/judge.ts',
    from: "const dead = { ...result, status: 'dead', reason: `rejected",
    to: 'const dead = { ...result, reason: `rejected',
  },
  {
    name: 'a held occurrence is sent without an approval',
    file: 'src/engine/expand/ceiling.ts',
    from: '(await countDistinct(targets, ceiling)) > ceiling;',
    to: '(await countDistinct(targets, ceiling)) < 0;',
  },
  {
    name: 'a step is taken although the message was read',
    file: 'src/engine/step/step.sql.ts',
    from: 'where not taken and not proven',
    to: 'where not taken',
  },
  {
    name: 'a step does not wait',
    file: 'src/engine/step/step.sql.ts',
    from: 'select * from timed where due_at <= now()',
    to: 'select * from timed where due_at is not null',
  },
];
