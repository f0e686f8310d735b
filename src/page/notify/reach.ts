/** For which devices messages are told. */
export type Reach = 'all' | 'devices' | 'sites';

interface ReachFields {
  readonly deviceIds: readonly string[];
  readonly siteIds: readonly string[];
}

export const reachOf = ({ deviceIds, siteIds }: ReachFields): Reach => {
  if (siteIds.length > 0) return 'sites';
  return deviceIds.length > 0 ? 'devices' : 'all';
};

/** An id more, or one less. */
export const toggled = <Value>(values: readonly Value[], value: Value): Value[] =>
  values.includes(value) ? values.filter((one) => one !== value) : [...values, value];
