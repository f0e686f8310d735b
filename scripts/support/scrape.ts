/** What a worker shows to Prometheus at one moment. */
export interface Scraped {
  /** The values of all series with this name. */
  values(name: string): number[];
  sum(name: string): number;
}

/** @param port METRICS_PORT of the worker */
export async function scrape(port: number): Promise<Scraped> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const values = (name: string) =>
    text
      .split('\n')
      .filter((line) => line.startsWith(`${name}{`))
      .map((line) => Number(line.slice(line.lastIndexOf(' ') + 1)));
  return { values, sum: (name) => values(name).reduce((sum, value) => sum + value, 0) };
}
