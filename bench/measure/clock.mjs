/** Milliseconds on the one clock that all processes of a machine share, and that never jumps. */
export const now = () => Number(process.hrtime.bigint()) / 1e6;
