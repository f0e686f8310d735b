import {
  type Bounds,
  boundsIn,
  conditionsOf,
  describeExclusion,
  describeFilter,
  type Filter,
  filtersOf,
  type NamedPlace,
  type ParsedQuery,
} from './filters.ts';
import type { SearchPart } from './part-schema.ts';
import { keywordsIn } from './rules/keywords.ts';

/** A query without words. */
export const NO_QUERY: ParsedQuery = { ...conditionsOf([]), excluded: [], understood: [], unusedWords: [] };

/** The conditions of a search one by one, so that a page can show each and send them back. */
export function partsOf(parsed: ParsedQuery): SearchPart[] {
  const present = (group: number | null) => (filter: Filter) => {
    const text = textOf(filter, group !== null, parsed.understood);
    return valuesOf(filter).map((part) => ({ ...part, text, excludeGroup: group }) as SearchPart);
  };
  return [
    ...filtersOf(parsed).flatMap(present(null)),
    ...parsed.excluded.flatMap((conditions, group) => filtersOf(conditions).flatMap(present(group))),
  ];
}

/** What `one` of a union has without the fields that all parts share. */
type Own<Part> = Part extends unknown ? Omit<Part, 'text' | 'excludeGroup'> : never;

function valuesOf(filter: Filter): Own<SearchPart>[] {
  switch (filter.kind) {
    case 'severity':
      return [{ field: 'severity', operator: 'is', value: filter.severity }];
    case 'risk':
      return [{ field: 'riskLevel', operator: 'oneOf', value: [...filter.levels] }];
    case 'quantity':
      return boundsIn(filter.bounds).map(([operator, value]) => ({ field: filter.measure, operator, value }));
    case 'dates': {
      const { start, end } = filter.dates;
      const [from, before] = [start?.toISOString() ?? null, end?.toISOString() ?? null];
      // Times that have nothing in common stay two conditions: no time begins after its end.
      const isNever = from !== null && before !== null && from >= before;
      const apart = [
        { from, before: null },
        { from: null, before },
      ];
      const values = isNever ? apart : [{ from, before }];
      return values.map((value) => ({ field: 'time', operator: 'within', value }));
    }
    case 'place': {
      const idsOf = (wanted: NamedPlace['kind']) =>
        filter.places.flatMap(({ kind, id }) => (kind === wanted ? [id] : []));
      const names = [...new Set(filter.places.map(({ name }) => name))].filter((name) => name !== '');
      const value = { deviceIds: idsOf('device'), sceneIds: idsOf('scene'), names };
      return [{ field: 'place', operator: 'oneOf', value }];
    }
    case 'words':
      return filter.keywords.map(({ word, forms }) => ({
        ...{ field: 'word', operator: 'contains', value: word, forms: [...forms] },
      }));
  }
}

/** The words of the query behind a condition, which several phrases may have made; null where there are none. */
function textOf(filter: Filter, isDenied: boolean, understood: ParsedQuery['understood']): string | null {
  const described = describeFilter(filter);
  const [beginning] = described.split(' ');
  const candidates = understood.filter(({ filter: told }) => told.startsWith('not (') === isDenied);
  const exact = candidates.filter(({ filter: told }) => told.includes(described));
  const similar = candidates.filter(({ filter: told }) =>
    told.replace('not (', '').startsWith(`${beginning} `),
  );
  const texts = new Set((exact.length > 0 ? exact : similar).flatMap(({ text }) => text ?? []));
  return texts.size > 0 ? [...texts].join(' … ') : null;
}

/** Adds the conditions that a caller has sent to those of a query. @param places the user’s devices and scenes */
export function withParts(
  parsed: ParsedQuery,
  parts: readonly SearchPart[],
  places: readonly NamedPlace[],
): ParsedQuery {
  if (parts.length === 0) return parsed;
  const inGroup = (group: number | null) => parts.filter(({ excludeGroup }) => excludeGroup === group);
  const filtersIn = (group: number | null) => inGroup(group).map((part) => filterOf(part, places));
  const groups = [...new Set(parts.flatMap(({ excludeGroup }) => excludeGroup ?? []))];
  return {
    ...conditionsOf([...filtersOf(parsed), ...filtersIn(null)]),
    excluded: [...parsed.excluded, ...groups.map((group) => conditionsOf(filtersIn(group)))],
    understood: [
      ...parsed.understood,
      ...inGroup(null).map((part) => ({ text: part.text, filter: describeFilter(filterOf(part, places)) })),
      ...groups.flatMap((group) => {
        const [first] = inGroup(group);
        return first ? [{ text: first.text, filter: describeExclusion(filtersIn(group)) }] : [];
      }),
    ],
    unusedWords: parsed.unusedWords,
  };
}

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
      // An id that is none of the user's finds nothing.
      const named = (kind: NamedPlace['kind']) => (id: string) =>
        places.find((place) => place.kind === kind && place.id === id) ?? { kind, id, name: '' };
      return { kind: 'place', places: [...deviceIds.map(named('device')), ...sceneIds.map(named('scene'))] };
    }
    case 'word': {
      const { value, forms } = part;
      return { kind: 'words', keywords: forms ? [{ word: value, forms }] : keywordsIn(value) };
    }
    default: {
      const bounds: Bounds = { [part.operator]: part.value };
      return { kind: 'quantity', measure: part.field, bounds };
    }
  }
}
