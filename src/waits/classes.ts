export interface Class<Value> {
  readonly from: number;
  readonly to: number;
  readonly value: Value;
}
/** Something for each class of a number, in the order of the classes. */
export type Classes<Value> = readonly [Class<Value>, ...Class<Value>[]];
export type Edges = readonly [number, ...number[]];

/** Classes from each edge to the next one. */
export function classesOf<Value>(
  [first, ...others]: Edges,
  make: (from: number, to: number) => Value,
): Classes<Value> {
  const classFrom = (from: number, to = Number.POSITIVE_INFINITY) => ({ from, to, value: make(from, to) });
  return [classFrom(first, others[0]), ...others.map((from, at) => classFrom(from, others[at + 1]))];
}

/** What belongs to the class of the number: the first one where it lies below all edges. */
export function inClassOf<Value>(classes: Classes<Value>, number: number): Value {
  let { value } = classes[0];
  for (const one of classes) {
    if (one.from > number) break;
    value = one.value;
  }
  return value;
}
