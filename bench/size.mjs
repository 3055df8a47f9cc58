/** Sizes of a full run. A round of requests takes about `roundSeconds`, estimated from the warm-up. */
export const FULL = {
  rounds: 5,
  roundSeconds: 5,
  latency: { rates: [50, 200, 1000], seconds: 10 },
  single: { triggers: 6_000, together: 20_000, members: 1_000_000, named: 10_000 },
  choices: { triggers: 6_000, together: 20_000 },
  digest: { people: 20_000, triggers: 6_000 },
  fanout: [1_000, 10_000, 100_000, 1_000_000],
  drain: 100_000,
  push: 20_000,
  smallReplies: 20_000,
  noisy: { people: 100_000, aloneSeconds: 20 },
  tenants: { organizations: 1_000, warmSeconds: 30, seconds: 10, waiting: 100_000 },
  memory: 1_000_000,
  growth: {
    large: { organizations: 10_000, users: 1_000_000, deliveries: 10_000_000 },
    small: { organizations: 50, users: 5_000, deliveries: 5_000 },
    requests: 500,
    occurrences: 20,
  },
  figures: { users: 100_000, deliveries: 10_000_000 },
};

/** Sizes that are enough to check that everything works and the counts add up. The figures mean nothing. */
export const QUICK = {
  rounds: 3,
  roundSeconds: 0.5,
  latency: { rates: [50, 200, 1000], seconds: 1 },
  single: { triggers: 320, together: 2_000, members: 100_000, named: 1_000 },
  choices: { triggers: 320, together: 2_000 },
  digest: { people: 500, triggers: 320 },
  fanout: [1_000, 5_000],
  drain: 2_000,
  push: 2_000,
  smallReplies: 500,
  noisy: { people: 5_000, aloneSeconds: 2 },
  tenants: { organizations: 50, warmSeconds: 1, seconds: 2, waiting: 1_000 },
  memory: 20_000,
  growth: {
    large: { organizations: 50, users: 5_000, deliveries: 20_000 },
    small: { organizations: 20, users: 2_000, deliveries: 2_000 },
    requests: 32,
    occurrences: 2,
  },
  figures: { users: 2_000, deliveries: 20_000 },
};
