/** The words of metrics in one language, for the page, mails and push messages. */
export interface MetricWords {
  /** By path without the group, e.g. `completed.avgWaitSeconds`. */
  readonly names: Readonly<Partial<Record<string, string>>>;
  /** Behind the name of a metric of the last minutes. */
  lastMinutes(minutes: number): string;
  readonly sinceStart: string;
  /** By the operator of a rule. */
  readonly compared: Readonly<Record<'GT' | 'GTE' | 'LT' | 'LTE' | 'EQ' | 'NEQ', string>>;
}

/** The name of a metric in words, for example "Average wait in the last 5 minutes"; the path itself where it is unknown. */
export function metricName(path: string, words: MetricWords): string {
  const [, group = '', name = ''] = /^(\w+?)\.(.+)$/.exec(path) ?? [];
  const label = words.names[name];
  if (label === undefined) return path;
  const [, minutes] = /^rolling(\d+)Min$/.exec(group) ?? [];
  if (minutes !== undefined) return `${label} ${words.lastMinutes(Number(minutes))}`;
  return group === 'total' ? `${label} ${words.sinceStart}` : label;
}
