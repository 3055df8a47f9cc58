/** The author of a change, for the audit log. */
export interface Actor {
  /** Id of the API key; undefined: a command on this machine. */
  key?: number;
  /** The name of the key, or the command. */
  actor: string;
  request?: string;
  /** The address of the client; undefined: a command on this machine. */
  address?: string;
}

export const commandLine = (command: string): Actor => ({ actor: `carillon ${command}` });

/** Names the actor to the triggers that write the audit log, for the rest of the transaction. $1 is the actor as JSON. */
export const NAME_ACTOR = `select set_config('carillon.by', $1, true)`;
