import type { PartitionedTable } from '../platform/database/partitions/partitions.store.ts';

export const ATTRIBUTE_RECORDS: PartitionedTable = {
  table: 'AttributeRecord',
  column: 'capturedAt',
  width: 'day',
  key: ['sceneId', 'capturedAt'],
  parents: ['User', 'Device', 'Scene', 'Insight'],
};
