/** What one or more workers show to Prometheus at one moment. */
export interface Scraped {
  /** The values of all series with this name. */
  values(name: string): number[];
  sum(name: string): number;
}

/** @param ports METRICS_PORT of each worker */
export async function scrape(ports: readonly number[]): Promise<Scraped> {
  const texts = ports.map(async (port) => (await fetch(`http://127.0.0.1:${port}/metrics`)).text());
  const text = (await Promise.all(texts)).join('\n');
  const values = (name: string) =>
    text
      .split('\n')
      .filter((line) => line.startsWith(`${name}{`))
      .map((line) => Number(line.slice(line.lastIndexOf(' ') + 1)));
  return { values, sum: (name) => values(name).reduce((sum, value) => sum + value, 0) };
}
