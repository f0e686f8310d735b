// Items that must be there. Where the types do not know it, these look, and fail at once instead of going on with undefined.

/** @throws RangeError the list is empty */
export const firstOf = <Item>(items: ArrayLike<Item>): Item => itemAt(items, 0);

/** @throws RangeError the list is empty */
export const lastOf = <Item>(items: ArrayLike<Item>): Item => itemAt(items, items.length - 1);

/** @throws RangeError there is no such place in the list */
export function itemAt<Item>(items: ArrayLike<Item>, index: number): Item {
  const item = items[index];
  if (item === undefined) throw new RangeError(`There is no item ${index} in a list of ${items.length}`);
  return item;
}

/** @param what names it in the error @throws Error there is none */
export function existing<Value>(value: Value, what: string): NonNullable<Value> {
  if (value === undefined || value === null) throw new Error(`There is no ${what}`);
  return value;
}
