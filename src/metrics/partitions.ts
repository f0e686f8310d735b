import type { PartitionedTable } from '../platform/database/partitions/partitions.store.ts';

export const SNAPSHOTS: PartitionedTable = {
  table: 'MetricSnapshot',
  column: 'windowEnd',
  key: ['sceneId', 'windowEnd'],
  parent: 'Scene',
};

export const ROLLING_RECORDS: PartitionedTable = {
  table: 'RollingRecord',
  column: 'windowEnd',
  key: ['sceneId', 'windowType', 'windowEnd'],
  parent: 'Scene',
};

export const PARTITIONED: readonly PartitionedTable[] = [SNAPSHOTS, ROLLING_RECORDS];
