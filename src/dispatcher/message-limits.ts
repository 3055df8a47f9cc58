/** What a provider takes of a message. What is left out has no limit. */
export interface MessageLimits {
  /** The most UTF-16 units of the subject and of the text; longer ones are cut. */
  subject?: number;
  text?: number;
  /** The most bytes of a whole message. */
  bytes?: number;
  /** Whether the text is cut until the message fits. Otherwise it is refused. */
  cutsText?: boolean;
  /** The most bytes of `data` as JSON. */
  dataBytes?: number;
  /** Names that `data` cannot have at its top: the provider or the service uses them. One that ends with `*` means all that begin so. */
  reservedData?: readonly string[];
}

interface WithData {
  data?: Readonly<Record<string, unknown>>;
}

/** The names at the top of `data` that it cannot have. */
export const reservedIn = (data: Readonly<Record<string, unknown>>, { reservedData = [] }: MessageLimits): string[] =>
  Object.keys(data).filter((key) =>
    reservedData.some((name) => (name.endsWith('*') ? key.startsWith(name.slice(0, -1)) : key === name)),
  );

/** Why the data of a message cannot be sent; null: they can. */
export function dataProblem(rich: WithData | undefined, { dataBytes = Infinity }: MessageLimits): string | null {
  if (!rich?.data) return null;
  const size = Buffer.byteLength(JSON.stringify(rich.data));
  return size <= dataBytes ? null : `data has ${size} bytes, and the channel takes ${dataBytes}: leave some of it out`;
}

/** The same without names that the data cannot have: the template may be that of another channel. */
export function withoutReserved<Rich extends WithData>(
  rich: Rich | undefined,
  limits: MessageLimits,
): Rich | undefined {
  if (!rich?.data) return rich;
  const reserved = reservedIn(rich.data, limits);
  if (reserved.length === 0) return rich;
  const data = Object.entries(rich.data).filter(([key]) => !reserved.includes(key));
  return { ...rich, data: Object.fromEntries(data) };
}
