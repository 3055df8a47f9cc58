const LENGTH = 64;

/** The token of a user's phone: as long as those of Apple, and a number, so that a sink can count different ones. */
export const deviceToken = (user) => String(user).padStart(LENGTH, '0');

/** The same in SQL, of the number of a user. */
export const DEVICE_TOKEN = `lpad(n::text, ${LENGTH}, '0')`;
