import { WINDOWS } from '../../catalogue/metrics/all.ts';
import { TIME_SUM_NAMES } from '../../catalogue/metrics/sums.ts';
import type { PartitionedTable } from '../../platform/database/partitions/partitions.store.ts';
import { Prisma } from '../../platform/prisma-client/client.ts';
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
  /** Columns of `rows` that are lists in `hours`, in the order of time; rows that came late are the last. */
  readonly lists: readonly string[];
  /** Which rows `t` may be packed. */
  readonly only: string;
  /** A call of the SQL function that reads both tables: the rows of a place whose time lies in [since, until). */
  readonly all: (place: PackedPlace, since: SqlTime, until: SqlTime) => Prisma.Sql;
}

interface PackedPlace {
  readonly sceneId: string;
  /** Of rolling records; without it those of all windows. */
  readonly windowType?: string | undefined;
}

type SqlTime = Date | Prisma.Sql;

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
const WINDOW_TYPES = [...WINDOWS.map(({ windowType }) => windowType), 'total'];

export const PACKED_MINUTES: PackedTable = {
  rows: MINUTES,
  hours: 'MinuteHour',
  key: ['sceneId'],
  lists: ['minute', 'coveredMs', ...TIME_SUM_NAMES],
  only: 'true',
  all: ({ sceneId }, since, until) => Prisma.sql`all_minutes(ARRAY[${sceneId}::uuid], ${since}, ${until})`,
};

export const PACKED_SNAPSHOTS: PackedTable = {
  rows: SNAPSHOTS,
  hours: 'SnapshotHour',
  key: ['sceneId'],
  lists: [...MEASURED, 'durationSeconds'],
  only: HAS_BYTES,
  all: ({ sceneId }, since, until) => Prisma.sql`all_snapshots(${sceneId}::uuid, ${since}, ${until})`,
};

export const PACKED_ROLLING: PackedTable = {
  rows: ROLLING_RECORDS,
  hours: 'RollingHour',
  key: ['sceneId', 'windowType'],
  lists: MEASURED,
  only: HAS_BYTES,
  all: ({ sceneId, windowType }, since, until) =>
    Prisma.sql`all_rolling(${sceneId}::uuid, ${windowType ? [windowType] : WINDOW_TYPES}::text[], ${since}, ${until})`,
};

/** Every table with packed rows; a test compares the lists with the database. */
export const PACKED: readonly PackedTable[] = [PACKED_MINUTES, PACKED_SNAPSHOTS, PACKED_ROLLING];
