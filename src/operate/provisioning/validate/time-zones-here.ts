/** Stands in for the time zones that PostgreSQL knows: those that Node.js knows, by their lower case. */
class ZonesHere extends Map<string, string> {
  override get(name: string): string | undefined {
    try {
      return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
    } catch {
      return undefined;
    }
  }
}

export const zonesHere: ReadonlyMap<string, string> = new ZonesHere();
