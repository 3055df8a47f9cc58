/** The id of the demo's occurrence. The published contract names it, so that every operation can be tried. */
export const DEMO_OCCURRENCE = '019f4c7a-51d2-7b3e-9a54-3a5f0c7d1e21';
