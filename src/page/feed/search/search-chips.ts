import type { Resource } from '../../../client/client.ts';

export type SearchPart = Resource<'SearchPart'>;

/** A condition of a search as people see it: one part, or the parts that exclude together. */
export interface SearchChip {
  readonly key: string;
  readonly isExcluded: boolean;
  readonly parts: readonly SearchPart[];
}

/** Parts with the same `excludeGroup` leave out what meets all of them, so that they are one condition. */
export function chipsOf(parts: readonly SearchPart[]): SearchChip[] {
  const chips = new Map<string, { key: string; isExcluded: boolean; parts: SearchPart[] }>();
  for (const [at, part] of parts.entries()) {
    const group = part.excludeGroup ?? null;
    const key = group === null ? `part-${at}` : `not-${group}`;
    const chip = chips.get(key);
    if (chip) chip.parts.push(part);
    else chips.set(key, { key, isExcluded: group !== null, parts: [part] });
  }
  return [...chips.values()];
}

/** The conditions without those of a chip. */
export const withoutChip = (parts: readonly SearchPart[], chip: SearchChip): SearchPart[] =>
  parts.filter((part) => !chip.parts.includes(part));
