/** The most that a channel may set: a message then uses less than half of the memory that a worker has for files, so that one slow server holds up no other mails. */
export const MOST_MESSAGE_MB = 30;
