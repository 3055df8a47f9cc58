/** What an encrypted token is bound to. */
export const tokenContext = (channelId: number, purpose: string): string => `channel token:${channelId}:${purpose}`;
