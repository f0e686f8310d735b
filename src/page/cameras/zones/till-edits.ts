import { MOST_TILLS } from '../../../catalogue/zones/tills.ts';
import { placed } from './geometry.ts';
import { type Shape, type TillShape, type TillTag, tillsOf } from './shapes.ts';
import { ROW_CORNERS, rowOf } from './templates.ts';

const tillOf = (shapes: readonly Shape[], key: number): TillShape | undefined =>
  tillsOf(shapes).find((shape) => shape.key === key);

/** Gives a till another name, or lets the queue lead there or not. It leads to one till at least. */
export function withTill(
  shapes: readonly Shape[],
  key: number,
  change: Partial<Omit<TillTag, 'id'>>,
): readonly Shape[] {
  const shape = tillOf(shapes, key);
  if (!shape) return shapes;
  const changed = shapes.map((one) =>
    one === shape ? { ...shape, till: { ...shape.till, ...change } } : one,
  );
  return tillsOf(changed).some(({ till }) => till.isFed) ? changed : shapes;
}

/** Without a shape; the side of the staff goes with its till. Where the queue led there alone, it leads to all. */
export function withoutShape(shapes: readonly Shape[], key: number): readonly Shape[] {
  const tillId = tillOf(shapes, key)?.till.id;
  const kept = shapes.filter((shape) => shape.key !== key && (tillId === undefined || shape.of !== tillId));
  if (kept.length === shapes.length) return shapes;
  if (tillsOf(kept).some(({ till }) => till.isFed)) return kept;
  return kept.map((shape) => (shape.till ? { ...shape, till: { ...shape.till, isFed: true } } : shape));
}

interface Row {
  /** As many tills as names. */
  readonly names: readonly string[];
  /** Width of the picture ÷ its height. */
  readonly ratio: number;
  readonly nextKey: number;
  readonly idOf: (key: number) => string;
}

/** Whether a shape is a till that can be divided into a row. */
export const isDivisible = (shape: Shape | undefined): shape is TillShape =>
  shape?.till !== undefined && shape.points.length === ROW_CORNERS;

/** A till of four corners as a row of tills, with the sides of their staff where that has four corners too. The first stays the till that it was. */
export function divided(shapes: readonly Shape[], key: number, row: Row): readonly Shape[] {
  const { names, ratio, nextKey, idOf } = row;
  const shape = tillOf(shapes, key);
  const isTooMany = tillsOf(shapes).length - 1 + names.length > MOST_TILLS;
  if (!isDivisible(shape) || names.length < 2 || isTooMany) return shapes;
  const { till } = shape;
  const keyOf = (index: number, isSide: boolean) => nextKey + 2 * index + (isSide ? 1 : 0);
  const idAt = (index: number) => (index === 0 ? till.id : idOf(keyOf(index, false)));
  const parts = (points: readonly (readonly [number, number])[]) =>
    rowOf(points, names.length, ratio).map((part) => part.map(placed));
  return shapes.flatMap((one): Shape[] => {
    if (one === shape) {
      return parts(one.points).map((points, at) => ({
        ...{ key: at === 0 ? key : keyOf(at, false), kind: 'till', points },
        till: { ...till, id: idAt(at), name: names[at]! },
      }));
    }
    if (one.of !== till.id || one.points.length !== ROW_CORNERS) return [one];
    return parts(one.points).map((points, at) => ({
      ...{ key: at === 0 ? one.key : keyOf(at, true), kind: 'tillStaff', points, of: idAt(at) },
    }));
  });
}

/** The first names of these that no till has. @param nameOf a number from 1 */
export function freeNames(
  tills: readonly TillShape[],
  count: number,
  nameOf: (number: number) => string,
): string[] {
  const taken = new Set(tills.map(({ till }) => till.name.trim()));
  return Array.from({ length: count + tills.length }, (_, at) => nameOf(at + 1))
    .filter((name) => !taken.has(name))
    .slice(0, count);
}
