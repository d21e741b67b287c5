/** Metrics as Prometheus reads them. */
import type { RunningServer } from './server.ts';

export interface Scrape {
  readonly text: string;
  /** The names of all metrics, also those without a sample, as queries use them: those of histograms with `_bucket`, `_sum` and `_count`. */
  readonly names: ReadonlySet<string>;
  /** The sum of the samples that have all of these labels; undefined if there is none. */
  value(name: string, labels?: Readonly<Record<string, string>>): number | undefined;
}

export const metricsUrlOf = ({ output }: Pick<RunningServer, 'output'>): string => {
  const url = /The metrics are at (http:\S+)/.exec(output.stderr)?.[1];
  if (url === undefined) throw new Error(`no URL of metrics: ${output.stderr}`);
  return url;
};

export async function scrape(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Scrape> {
  const response = await fetch(url, { headers });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url}: ${response.status} ${text}`);
  return read(text);
}

function read(text: string): Scrape {
  const samples = text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name = '', labels = '', value = ''] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
      return {
        name,
        labels: Object.fromEntries([...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, of]) => [key, of])),
        value: Number(value),
      };
    });
  return {
    text,
    names: new Set([...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name = '', type]) => namesOf(name, type))),
    value(name, labels = {}) {
      const found = samples.filter(
        (sample) => sample.name === name && Object.entries(labels).every(([key, of]) => sample.labels[key] === of),
      );
      return found.length === 0 ? undefined : found.reduce((sum, { value }) => sum + value, 0);
    },
  };
}

const namesOf = (name: string, type: string | undefined): readonly string[] =>
  type === 'histogram' ? ['bucket', 'sum', 'count'].map((part) => `${name}_${part}`) : [name];
