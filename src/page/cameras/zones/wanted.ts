import type { Point } from '../../../catalogue/zones/polygon.ts';
import { MOST_TILLS } from '../../../catalogue/zones/tills.ts';
import { MOST_MASKS, type Shape, type ShapeKind, staffSideOf, tillsOf } from './shapes.ts';

/** What is to be drawn. */
export interface Wanted {
  readonly kind: ShapeKind;
  /** Of a new till. */
  readonly name?: string;
  /** The id of the till whose staff side it is. */
  readonly of?: string;
}

/** The shape that there is once only; undefined where another one is drawn each time. */
export function knownShape(shapes: readonly Shape[], { kind, of }: Wanted): Shape | undefined {
  if (kind === 'mask' || kind === 'till') return undefined;
  return of === undefined ? shapes.find((shape) => shape.kind === kind) : staffSideOf(shapes, of);
}

/** Whether there may be no more of these, or not yet. */
export function isFull(shapes: readonly Shape[], { kind, of }: Wanted): boolean {
  if (kind === 'till') return tillsOf(shapes).length >= MOST_TILLS;
  if (kind === 'mask') return shapes.filter((shape) => shape.kind === 'mask').length >= MOST_MASKS;
  return kind === 'tillStaff' && !tillsOf(shapes).some(({ till }) => till.id === of);
}

/** A new shape; a till gets its id and name. */
export function made(
  { shapes, idPrefix }: { readonly shapes: readonly Shape[]; readonly idPrefix: string },
  key: number,
  { kind, name, of }: Wanted,
  points: readonly Point[],
): Shape {
  const shape = { key, kind, points };
  if (kind === 'tillStaff' && of !== undefined) return { ...shape, of };
  if (kind !== 'till') return shape;
  const isFed = tillsOf(shapes).every(({ till }) => till.isFed);
  return { ...shape, till: { id: `${idPrefix}${key}`, name: name ?? '', isFed } };
}
