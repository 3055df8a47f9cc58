const EMAIL = /[^\s<>"'(),;:]+@[^\s<>"'(),;:]+/g;
const PHONE = /\+\d[\d ().-]{5,17}\d/g;

/** The text for a log, without e-mail addresses and phone numbers: a log outlives a user whose data is erased. */
export const withoutAddresses = (text: string): string => text.replace(EMAIL, '[address]').replace(PHONE, '[address]');
