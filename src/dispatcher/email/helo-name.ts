const FULL_NAME = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?=[a-z0-9-]*[a-z])[a-z0-9-]+$/;
// Names that only the machine's own network knows.
const PRIVATE = /\.(?:local|localdomain|localhost|internal|intranet|lan|home|corp|private|arpa)$/;

/**
 * The name in EHLO when the channel sets none. Strict servers refuse a name without a dot, and some a name that the DNS does not know. A
 * container has no such name, but the domain of the sender is one: it has an MX or an address if anybody can answer its mail.
 */
export function heloNameOf(machine: string, senderDomain: string): string {
  const name = machine.toLowerCase().replace(/\.$/, '');
  const found = [name, senderDomain].find((each) => FULL_NAME.test(each) && !PRIVATE.test(each));
  return found ?? (FULL_NAME.test(senderDomain) ? senderDomain : '[127.0.0.1]');
}
