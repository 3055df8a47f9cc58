import parse from 'parse-prometheus-text-format';

type Labels = Record<string, string>;

interface Sample {
  labels?: Labels;
  value?: string;
  count?: string;
  sum?: string;
  buckets?: Record<string, string>;
}

/** What a Prometheus would read at `/metrics`. */
export class Scrape {
  private constructor(
    readonly text: string,
    private readonly families: { name: string; help: string; type: string; metrics: Sample[] }[],
  ) {}

  static async of(url: string): Promise<Scrape> {
    const answer = await fetch(url);
    if (!answer.ok) throw new Error(`${url} answered ${answer.status}`);
    const text = await answer.text();
    return new Scrape(text, parse(text) as Scrape['families']);
  }

  /** The names as queries spell them: a histogram has three. */
  get names(): string[] {
    return this.families.flatMap(({ name, type }) =>
      type === 'HISTOGRAM' ? ['_bucket', '_count', '_sum'].map((end) => name + end) : [name],
    );
  }

  get helps(): Record<string, string> {
    return Object.fromEntries(this.families.map(({ name, help }) => [name, help]));
  }

  samples(name: string, labels: Labels = {}): Sample[] {
    const samples = this.families.find((family) => family.name === name)?.metrics ?? [];
    return samples.filter((sample) =>
      Object.entries(labels).every(([label, value]) => sample.labels?.[label] === value),
    );
  }

  /** The sum of all series with these labels, of a histogram the number of its observations; undefined when there is none. */
  value(name: string, labels: Labels = {}): number | undefined {
    const samples = this.samples(name, labels);
    if (samples.length === 0) return undefined;
    return samples.reduce((sum, { value, count }) => sum + Number(value ?? count), 0);
  }
}
