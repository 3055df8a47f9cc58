/** Who makes a change, as the audit log names them. */
export interface Actor {
  /** Id of the API key; none: somebody at the machine. */
  key?: number;
  /** The name of the key, or the command. */
  actor: string;
  request?: string;
}

export const commandLine = (command: string): Actor => ({ actor: `carillon ${command}` });

/** Tells the triggers that write the audit log; for the rest of the transaction. $1 is the actor as JSON. */
export const NAME_ACTOR = `select set_config('carillon.by', $1, true)`;
