/**
 * Runs both sides alternately for `rounds` rounds, so that other load on the machine affects both.
 * @template {string} Side
 * @param {import('../world.mjs').World} world
 * @param {Record<Side, () => Promise<import('./row.mjs').Sample>>} sides
 * @returns {Promise<Record<Side, import('./row.mjs').Sample[]>>}
 */
export async function alternate(world, what, sides, rounds = world.size.rounds) {
  const names = Object.keys(sides);
  const samples = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = 1; round <= rounds; round++) {
    for (const name of names) {
      world.progress.step(`${what}, round ${round} of ${rounds}, ${name}`);
      await world.calm();
      samples[name].push(await sides[name]());
    }
    names.reverse(); // each side goes first equally often
  }
  return samples;
}
