import parse from 'parse-prometheus-text-format';

type Labels = Record<string, string>;

interface Family {
  name: string;
  help: string;
  metrics: { labels?: Labels; value: string }[];
}

/** What a Prometheus would read at `/metrics`. */
export class Scrape {
  private constructor(
    readonly text: string,
    private readonly families: Family[],
  ) {}

  static async of(url: string): Promise<Scrape> {
    const answer = await fetch(url);
    if (!answer.ok) throw new Error(`${url} answered ${answer.status}`);
    const text = await answer.text();
    // Of what it takes for a histogram, the parser keeps one series only: it is shown them as the samples that they are.
    return new Scrape(text, parse(text.replaceAll(/^# TYPE \w+ histogram$/gm, '')) as Family[]);
  }

  /** Of every series, as queries spell it. */
  get names(): Set<string> {
    return new Set(this.families.filter(({ metrics }) => metrics.length > 0).map(({ name }) => name));
  }

  /** Of those that have one. */
  get helps(): Record<string, string> {
    return Object.fromEntries(this.families.filter(({ help }) => help !== '').map(({ name, help }) => [name, help]));
  }

  /** The sum of all series with these labels; undefined when there is none. */
  value(name: string, labels: Labels = {}): number | undefined {
    const values = this.families
      .filter((family) => family.name === name)
      .flatMap(({ metrics }) => metrics)
      .filter((sample) => Object.entries(labels).every(([label, value]) => sample.labels?.[label] === value))
      .map(({ value }) => Number(value));
    return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0);
  }
}
