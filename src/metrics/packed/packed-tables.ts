import { TIME_SUM_NAMES } from '../../catalogue/metrics/sums.ts';
import type { PartitionedTable } from '../../platform/database/partitions/partitions.store.ts';
import { MINUTES, ROLLING_RECORDS, SNAPSHOTS } from '../partitions.ts';

/** A day is packed when the day after it is over. */
export const PACKED_AFTER_DAYS = 1;

/** A table whose rows of past days lie in a second table, an hour of a scene in one row. */
export interface PackedTable {
  /** Where rows are written. */
  readonly rows: PartitionedTable;
  /** The second table: the columns of `key`, the start of the UTC `hour`, the number of `rows`, and `lists`. */
  readonly hours: string;
  readonly key: readonly string[];
  /** Columns of `rows` that are lists in `hours`, in the order of time. */
  readonly lists: readonly string[];
  /** Which rows `t` may be packed. */
  readonly only: string;
}

const MEASURED = [
  'windowEnd',
  'id',
  'deviceId',
  'sceneType',
  'windowStart',
  'numbers',
  'computeNodeId',
  'createdAt',
];
/** Rows of version 0.2 have no bytes. */
const HAS_BYTES = 't.numbers IS NOT NULL';

export const PACKED_MINUTES: PackedTable = {
  rows: MINUTES,
  hours: 'MinuteHour',
  key: ['sceneId'],
  lists: ['minute', 'coveredMs', ...TIME_SUM_NAMES],
  only: 'true',
};

export const PACKED_SNAPSHOTS: PackedTable = {
  rows: SNAPSHOTS,
  hours: 'SnapshotHour',
  key: ['sceneId'],
  lists: [...MEASURED, 'durationSeconds'],
  only: HAS_BYTES,
};

export const PACKED_ROLLING: PackedTable = {
  rows: ROLLING_RECORDS,
  hours: 'RollingHour',
  key: ['sceneId', 'windowType'],
  lists: MEASURED,
  only: HAS_BYTES,
};

/** Every table with packed rows; a test compares the lists with the database. */
export const PACKED: readonly PackedTable[] = [PACKED_MINUTES, PACKED_SNAPSHOTS, PACKED_ROLLING];
