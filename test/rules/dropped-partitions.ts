import { expect } from '@jest/globals';
import { PARTITIONED } from '../../src/partitions.ts';
import type { Db } from '../../src/platform/database/db.ts';
import { AHEAD, createPartitions } from '../../src/platform/database/partitions/create-partitions.store.ts';
import { listPartitions } from '../../src/platform/database/partitions/partitions.store.ts';

/** What the service does with partitions as months go by: no tool may take it for a change of the schema. */
export async function makeAndDropPartitions(db: Db): Promise<void> {
  for (const spec of PARTITIONED) {
    expect(await createPartitions(db, spec, new Date('2031-01-01T00:00:00Z'))).toBeNull();
    const made = (await listPartitions(db, spec)).filter(({ from }) => from);
    expect(made.length).toBeGreaterThan(AHEAD[spec.width] + 1);
    await db.$executeRawUnsafe(`DROP TABLE partitions."${made[0]!.name}"`);
  }
}
