import { Prisma } from '../../prisma-client/client.ts';
import type { Db, Tx } from '../db.ts';
import { daysBefore } from '../remove-old.ts';
import {
  attempt,
  endOf,
  explain,
  listPartitions,
  nameOf,
  PATIENCE_DAYS,
  type Partition,
  type PartitionedTable,
  quoted,
} from './partitions.store.ts';

const BATCH = 2_000;
const { sql } = Prisma;

/**
 * Removes rows that were created before a time. The partition of a day is dropped when all its rows are as old, so that rows stay
 * up to a day longer. A day that also has younger rows, of a recording that was analysed later, keeps these: its old rows are
 * removed one by one, and so are those of the default partition, of a partition that is longer than a day, and of partitions that
 * cannot be dropped.
 * @returns why old partitions stay, in one sentence; null where none does
 */
export async function removeOldPartitions(
  db: Db,
  spec: PartitionedTable,
  before: Date,
): Promise<string | null> {
  const kept: Length[] = [];
  let reason: string | null = null;
  for (const partition of await listPartitions(db, spec)) {
    const { from, to, isDefault } = partition;
    if (isDefault) continue;
    if (to === null || to > before) {
      if (from && to && isOfWidth(spec, from, to)) kept.push({ from, to });
      continue;
    }
    if (await hasYoung(db, spec, partition, before)) continue;
    const refusal = await attempt(db, (tx) =>
      drop(tx, spec, partition, async () => !(await hasYoung(tx, spec, partition, before))),
    );
    // The next run drops it.
    if (from && (refusal === 'busy' || refusal === 'elsewhere')) kept.push({ from, to });
    if (refusal === 'elsewhere') continue;
    if (refusal && (refusal !== 'busy' || to < daysBefore(before, PATIENCE_DAYS)))
      reason ??= explain(refusal, spec);
  }
  for (const range of rangesBeside(kept)) await removeRows(db, spec, range, before);
  return reason;
}

const isOfWidth = ({ width }: PartitionedTable, from: Date, to: Date): boolean =>
  endOf(width, from).getTime() === to.getTime();

interface Range {
  readonly from: Date | null;
  readonly to: Date | null;
}

type Length = { readonly [Edge in keyof Range]: Date };

/** The times that these partitions, in the order of time, leave. */
function rangesBeside(partitions: readonly Length[]): Range[] {
  const ranges: Range[] = [];
  let from: Date | null = null;
  for (const partition of partitions) {
    if (from === null || partition.from > from) ranges.push({ from, to: partition.from });
    from = partition.to;
  }
  return [...ranges, { from, to: null }];
}

export const within = ({ column }: PartitionedTable, { from, to }: Range): Prisma.Sql => {
  const at = sql`t.${quoted(column)}`;
  return sql`${from ? sql`${at} >= ${from}` : sql`true`} AND ${to ? sql`${at} < ${to}` : sql`true`}`;
};

/** Whether a partition has rows that must stay. It is asked over the table, which every role may read. */
async function hasYoung(db: Db | Tx, spec: PartitionedTable, range: Range, before: Date): Promise<boolean> {
  const [{ found }] = await db.$queryRaw<[{ found: boolean }]>`
    SELECT EXISTS (SELECT FROM ${quoted(spec.table)} t
                   WHERE ${within(spec, range)} AND t."createdAt" >= ${before}) AS found`;
  return found;
}

/**
 * Drops a partition that still exists.
 * @param mayGo is asked when nobody can add rows any more
 */
export async function drop(
  tx: Tx,
  spec: PartitionedTable,
  { name, schema }: Partition,
  mayGo: () => Promise<boolean>,
): Promise<void> {
  const partitions = await listPartitions(tx, spec);
  const partition = partitions.find((each) => each.name === name && each.schema === schema);
  if (!partition) return;
  // Nobody adds a row from now on. Readers go on until the next lock, which is held for the drop alone.
  await tx.$executeRaw`LOCK TABLE ONLY ${nameOf(partition)} IN SHARE MODE`;
  if (!(await mayGo())) return;
  await tx.$executeRaw`LOCK TABLE ONLY ${quoted(spec.table)} IN ACCESS EXCLUSIVE MODE`;
  await tx.$executeRaw`DROP TABLE ${nameOf(partition)}`;
}

/** In batches: no statement waits long for the rows of one batch. Rows that another transaction holds stay until the next call. */
async function removeRows(db: Db, spec: PartitionedTable, range: Range, before: Date): Promise<void> {
  const { table, key } = spec;
  const columns = Prisma.join(key.map((name) => sql`t.${quoted(name)}`));
  const same = Prisma.join(
    key.map((name) => sql`t.${quoted(name)} = old.${quoted(name)}`),
    ' AND ',
  );
  const removeBatch = () => db.$executeRaw`
    WITH old AS MATERIALIZED (
      SELECT ${columns} FROM ${quoted(table)} t
      WHERE ${within(spec, range)} AND t."createdAt" < ${before} LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
    DELETE FROM ${quoted(table)} t USING old WHERE ${same} AND ${within(spec, range)}`;
  while ((await removeBatch()) === BATCH);
}
