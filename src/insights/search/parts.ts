import { describeFilter, filtersOf } from './describe-filter.ts';
import type { Bounds, Filter, Measure, NamedPlace, ParsedQuery, Understood } from './filters.ts';
import type { SearchPart } from './part-schema.ts';
import { keywordsIn } from './rules/keywords.ts';
import { conditionsOf, quantitiesOf } from './rules/parse-query.ts';

/** The conditions of a search one by one, so that a page can show each and send them back. */
export function partsOf(parsed: ParsedQuery): SearchPart[] {
  const { quantities, excluded, understood } = parsed;
  return [
    ...includedFilters(parsed, quantities).flatMap((filter) => presentFilter(filter, null, understood)),
    ...excluded.flatMap((conditions, group) =>
      filtersOf(conditions).flatMap((filter) => presentFilter(filter, group, understood)),
    ),
  ];
}

const includedFilters = (parsed: ParsedQuery, quantities: ParsedQuery['quantities']): Filter[] => [
  ...filtersOf(parsed),
  ...(Object.entries(quantities) as [Measure, Bounds][]).map(([measure, bounds]) => ({
    kind: 'quantity' as const,
    measure,
    bounds,
  })),
];

function presentFilter(
  filter: Filter,
  excludeGroup: number | null,
  understood: readonly Understood[],
): SearchPart[] {
  const common = { text: textOf(filter, excludeGroup, understood), excludeGroup };
  switch (filter.kind) {
    case 'severity':
      return [{ field: 'severity', operator: 'is', value: filter.severity, ...common }];
    case 'risk':
      return [{ field: 'riskLevel', operator: 'oneOf', value: [...filter.levels], ...common }];
    case 'quantity':
      return OPERATORS.flatMap((operator) => {
        const value = filter.bounds[operator];
        return value === undefined ? [] : [{ field: filter.measure, operator, value, ...common }];
      });
    case 'dates': {
      const { start, end } = filter.dates;
      const [from, before] = [start?.toISOString() ?? null, end?.toISOString() ?? null];
      // Times that have nothing in common stay two conditions: no time begins after its end.
      const values =
        from !== null && before !== null && from >= before
          ? [
              { from, before: null },
              { from: null, before },
            ]
          : [{ from, before }];
      return values.map((value) => ({ field: 'time', operator: 'within', value, ...common }));
    }
    case 'place':
      return [{ field: 'place', operator: 'oneOf', value: presentPlaces(filter.places), ...common }];
    case 'words':
      return filter.keywords.map(({ word, forms }) => ({
        field: 'word',
        operator: 'contains',
        value: word,
        forms: [...forms],
        ...common,
      }));
  }
}

const OPERATORS = ['moreThan', 'atLeast', 'lessThan', 'atMost'] as const;

function presentPlaces(places: readonly NamedPlace[]) {
  const idsOf = (wanted: NamedPlace['kind']) =>
    places.flatMap(({ kind, id }) => (kind === wanted ? [id] : []));
  const names = [...new Set(places.map(({ name }) => name))].filter((name) => name !== '');
  return { deviceIds: idsOf('device'), sceneIds: idsOf('scene'), names };
}

/** The words of the query behind a condition, which several phrases may have made; null where there are none. */
function textOf(
  filter: Filter,
  excludeGroup: number | null,
  understood: readonly Understood[],
): string | null {
  const described = describeFilter(filter);
  const isDenied = ({ filter: told }: Understood) => told.startsWith('not (');
  const candidates = understood.filter((one) => isDenied(one) === (excludeGroup !== null));
  const exact = candidates.filter(({ filter: told }) => told === described || told.includes(described));
  const [beginning] = described.split(' ');
  const similar = candidates.filter(({ filter: told }) =>
    told.replace('not (', '').startsWith(`${beginning} `),
  );
  const found = exact.length > 0 ? exact : similar;
  const texts = [...new Set(found.flatMap(({ text }) => text ?? []))];
  return texts.length > 0 ? texts.join(' … ') : null;
}

/** Adds the conditions that a caller has sent to those of a query. @param places the user’s devices and scenes */
export function withParts(
  parsed: ParsedQuery,
  parts: readonly SearchPart[],
  places: readonly NamedPlace[],
): ParsedQuery {
  if (parts.length === 0) return parsed;
  const read = parts.map((part) => ({ part, filter: filterOf(part, places) }));
  const inGroup = (group: number | null) =>
    read.flatMap(({ part, filter }) => (part.excludeGroup === group ? [filter] : []));
  const groups = [...new Set(parts.map(({ excludeGroup }) => excludeGroup))].filter(
    (group) => group !== null,
  );
  const included = [...includedFilters(parsed, parsed.quantities), ...inGroup(null)];
  return {
    ...conditionsOf(included),
    quantities: quantitiesOf(included),
    excluded: [...parsed.excluded, ...groups.map((group) => conditionsOf(inGroup(group)))],
    understood: [
      ...parsed.understood,
      ...inGroup(null).map((filter, at) => ({
        text: parts.filter(({ excludeGroup }) => excludeGroup === null)[at]?.text ?? null,
        filter: describeFilter(filter),
      })),
      ...groups.map((group) => ({
        text: parts.find(({ excludeGroup }) => excludeGroup === group)?.text ?? null,
        filter: `not (${inGroup(group).map(describeFilter).join(', ')})`,
      })),
    ],
    unusedWords: parsed.unusedWords,
  };
}

/** A query without words. */
export const NO_QUERY: ParsedQuery = {
  ...{
    riskLevel: [],
    places: [],
    keywords: [],
    quantities: {},
    excluded: [],
    understood: [],
    unusedWords: [],
  },
};

function filterOf(part: SearchPart, places: readonly NamedPlace[]): Filter {
  switch (part.field) {
    case 'severity':
      return { kind: 'severity', severity: part.value };
    case 'riskLevel':
      return { kind: 'risk', levels: part.value };
    case 'time': {
      const { from, before } = part.value;
      const dates = { ...(from && { start: new Date(from) }), ...(before && { end: new Date(before) }) };
      return { kind: 'dates', dates };
    }
    case 'place': {
      const { deviceIds, sceneIds } = part.value;
      const named = (kind: NamedPlace['kind'], ids: readonly string[]): NamedPlace[] =>
        // An id that is none of the user's finds nothing.
        ids.map(
          (id) => places.find((place) => place.kind === kind && place.id === id) ?? { kind, id, name: '' },
        );
      return { kind: 'place', places: [...named('device', deviceIds), ...named('scene', sceneIds)] };
    }
    case 'word':
      return {
        kind: 'words',
        keywords: part.forms ? [{ word: part.value, forms: part.forms }] : keywordsIn(part.value),
      };
    default:
      return { kind: 'quantity', measure: part.field, bounds: { [part.operator]: part.value } };
  }
}
