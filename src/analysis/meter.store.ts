import { charge, rollBack } from '../billing/charge.ts';
import type { Tx } from '../platform/db.ts';
import type { AnalysisType } from '../platform/prisma-client/client.ts';

/** A run pays this much in advance, at most. */
const SLICE_SECONDS = 60;

/** A run as the write that has just moved its last frame on left it. */
export interface MeteredRun {
  readonly id: string;
  readonly userId: string;
  readonly deviceId: string;
  readonly sceneId: string;
  readonly analysisType: AnalysisType;
  readonly lastFrameAt: Date | null;
  readonly paidUntil: Date | null;
  readonly paidSlices: number;
  /** Time with frames that this write stores. */
  readonly watchedMs: number;
  readonly hasEnded: boolean;
}

/**
 * Buys the next slice for every run whose last one is used up, in the transaction that stores what it was used for.
 * A slice's key is the run and its number, so that it is bought once whatever is repeated.
 * @returns the ids of runs that could not pay
 */
export async function payForRuns(tx: Tx, runs: readonly MeteredRun[]): Promise<Set<string>> {
  const unpaid = new Set<string>();
  // By user, so that the charges of two nodes do not wait for each other crosswise.
  const byUser = runs.toSorted((a, b) => compare(a.userId, b.userId) || compare(a.id, b.id));
  for (const run of byUser) {
    const { lastFrameAt, paidUntil } = run;
    if (!lastFrameAt || (paidUntil && paidUntil > lastFrameAt)) continue;
    const from = paidUntil ?? new Date(lastFrameAt.getTime() - run.watchedMs);
    const owedSeconds = Math.round((lastFrameAt.getTime() - from.getTime()) / 1000);
    const wantedSeconds = run.hasEnded ? owedSeconds : SLICE_SECONDS;
    if (wantedSeconds === 0) continue;
    const paidSeconds = await buy(tx, run, { from, wantedSeconds });
    if (paidSeconds < owedSeconds || paidSeconds === 0) unpaid.add(run.id);
  }
  return unpaid;
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** @returns the seconds it got: fewer where the quota of the user or the device ends */
async function buy(
  tx: Tx,
  { id, userId, deviceId, sceneId, analysisType, paidSlices }: MeteredRun,
  { from, wantedSeconds }: { from: Date; wantedSeconds: number },
): Promise<number> {
  const sourceId = sliceKey(id, paidSlices + 1);
  let quantity = wantedSeconds;
  while (quantity > 0) {
    const whose = { userId, deviceId, sceneId, taskId: id, analysisType };
    const result = await charge(tx, { ...whose, feature: 'analysis', quantity, sourceId, occurredAt: from });
    if (result.outcome !== 'refused') break;
    quantity = Math.min(quantity - 1, result.available);
  }
  if (quantity <= 0) return 0;
  const paidUntil = new Date(from.getTime() + quantity * 1000);
  await tx.$executeRaw`
    UPDATE "AnalysisTask" SET "paidUntil" = ${paidUntil}, "paidSlices" = ${paidSlices + 1} WHERE id = ${id}::uuid`;
  return quantity;
}

/** Gives back what runs that end have paid beyond their last frame. Call it where they end. */
export async function returnRest(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const rests = await tx.$queryRaw<{ id: string; paidSlices: number; seconds: number }[]>`
    SELECT id, "paidSlices", floor(extract(epoch FROM "paidUntil" - "lastFrameAt"))::int AS seconds
    FROM "AnalysisTask"
    WHERE id = ANY(${[...ids]}::uuid[]) AND "paidUntil" >= "lastFrameAt" + interval '1 second'
    ORDER BY "userId", id`;
  for (const { id, paidSlices, seconds } of rests) {
    await rollBack(tx, { feature: 'analysis', sourceId: sliceKey(id, paidSlices), quantity: seconds });
  }
}

const sliceKey = (taskId: string, number: number) => `${taskId}:${number}`;
