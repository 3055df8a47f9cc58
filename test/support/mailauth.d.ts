/** The part of mailauth that the tests use. The package has no types. */
declare module 'mailauth/lib/dkim/verify.js' {
  interface DkimResult {
    status: { result: string; comment?: string; aligned?: string | false; overSized?: number };
    signingDomain: string;
    selector: string;
    algo: string;
    format: string;
    signingHeaders: { keys: string };
    info: string;
  }
  export function dkimVerify(
    mail: Buffer,
    options: { resolver: (name: string, type: string) => Promise<string[][]>; minBitLength?: number },
  ): Promise<{ results: DkimResult[] }>;
}
