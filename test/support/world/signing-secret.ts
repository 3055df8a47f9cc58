/** A valid signing secret whose key is the text. */
export const signingSecret = (text: string): string => `whsec_${Buffer.from(text.padEnd(24, '.')).toString('base64')}`;
