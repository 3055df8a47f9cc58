/** SQL for a text of so many kilobytes that cannot be compressed well. */
export const textSql = (kilobytes, seed = '1') =>
  `(select string_agg(md5((${seed})::text || g), '') from generate_series(1, ${kilobytes * 32}) g)`;
