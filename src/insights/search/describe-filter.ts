import type { Bounds, Conditions, Filter, Keyword, Measure, NamedPlace } from './filters.ts';

const MEASURES: Record<Measure, string> = {
  persons: 'people in the picture',
  queueLength: 'people in the queue',
  waitSeconds: 'wait in seconds',
  serviceSeconds: 'service in seconds',
};

const bounds = ({ moreThan, atLeast, lessThan, atMost }: Bounds): string =>
  [
    moreThan !== undefined && `> ${moreThan}`,
    atLeast !== undefined && `≥ ${atLeast}`,
    lessThan !== undefined && `< ${lessThan}`,
    atMost !== undefined && `≤ ${atMost}`,
  ]
    .filter(Boolean)
    .join(' and ');

const words = (keywords: readonly Keyword[]): string => keywords.map(({ word }) => word).join(' and ');

function dates(start?: Date, end?: Date): string {
  const from = start && `from ${start.toISOString()}`;
  const to = end && `before ${end.toISOString()}`;
  return ['time', from, to].filter(Boolean).join(' ');
}

function place(places: readonly NamedPlace[]): string {
  const named = (['device', 'scene'] as const).flatMap((kind) => {
    const names = [...new Set(places.filter((one) => one.kind === kind).map(({ name }) => name))];
    return names.length > 0 ? [`${kind} ${names.join(' or ')}`] : [];
  });
  return named.join(' or ');
}

/** One filter in a few words: "severity critical", "wait in seconds > 300", "device Till 3". */
export function describeFilter(filter: Filter): string {
  if (filter.kind === 'severity') return `severity ${filter.severity}`;
  if (filter.kind === 'risk') return `risk ${filter.levels.join(' or ')}`;
  if (filter.kind === 'quantity') return `${MEASURES[filter.measure]} ${bounds(filter.bounds)}`;
  if (filter.kind === 'dates') return dates(filter.dates.start, filter.dates.end);
  if (filter.kind === 'place') return place(filter.places);
  return `words ${words(filter.keywords)}`;
}

/** The filters of a query or of one of its exclusions. */
export function filtersOf(conditions: Conditions): Filter[] {
  const { severity, riskLevel, startDate, endDate, places, keywords } = conditions;
  return [
    ...(severity ? [{ kind: 'severity' as const, severity }] : []),
    ...(riskLevel.length > 0 ? [{ kind: 'risk' as const, levels: riskLevel }] : []),
    ...(startDate || endDate ? [{ kind: 'dates' as const, dates: { start: startDate, end: endDate } }] : []),
    ...places.map((named) => ({ kind: 'place' as const, places: named })),
    ...(keywords.length > 0 ? [{ kind: 'words' as const, keywords }] : []),
  ];
}
