import type { PartitionedTable } from '../platform/database/partitions/partitions.store.ts';

export const SNAPSHOTS: PartitionedTable = {
  table: 'MetricSnapshot',
  column: 'windowEnd',
  width: 'day',
  key: ['sceneId', 'windowEnd'],
  parents: ['Scene'],
};

export const ROLLING_RECORDS: PartitionedTable = {
  table: 'RollingRecord',
  column: 'windowEnd',
  width: 'day',
  key: ['sceneId', 'windowEnd', 'windowType'],
  parents: ['Scene'],
};

export const MINUTES: PartitionedTable = {
  table: 'OccupancyMinute',
  column: 'minute',
  width: 'month',
  key: ['sceneId', 'minute'],
  parents: ['Scene'],
};
