import { charge, rollBack } from '../../billing/charge.ts';
import { addDays, dayOf, periodOf } from '../../billing/period.ts';
import { readLeft } from '../../billing/quota.store.ts';
import { findUsage } from '../../billing/usage.store.ts';
import type { Tx } from '../../platform/database/db.ts';
import type { AnalysisType } from '../../platform/prisma-client/client.ts';

/** The time that a run pays in advance. */
const SLICE_SECONDS = 60;
/** So many slices are that short. A run that goes on pays more at once, and one charge grows for an hour: fewer rows stay for months. */
const SHORT_SLICES = 10;
const LONG_SLICE_SECONDS = 600;
/** A long slice must be at most one of so many parts of what is left, so that it takes nothing that other runs need. */
const PARTS_LEFT = 100;

/** A run after the update that moved `lastFrameAt`. */
export interface MeteredRun {
  readonly id: string;
  readonly userId: string;
  readonly deviceId: string;
  readonly sceneId: string;
  readonly analysisType: AnalysisType;
  /** `lastFrameAt` before this update. */
  readonly previousFrameAt: Date | null;
  readonly lastFrameAt: Date | null;
  readonly paidUntil: Date | null;
  readonly paidSlices: number;
  /** Time with frames in this update. */
  readonly watchedMs: number;
  readonly hasEnded: boolean;
  readonly isRecording: boolean;
  /** The database's time of this update. */
  readonly writtenAt: Date;
}

/** What is paid of a run. */
interface Meter {
  readonly run: MeteredRun;
  readonly lastFrameAt: Date;
  paidUntil: Date;
  slices: number;
}

/**
 * Buys the next slice for every run whose last slice is used up, in the transaction that stores the frames. The key of a
 * charge is the run and its number; `paidUntil`, which is stored with it, keeps a repeated call from buying twice. No slice reaches over midnight
 * UTC, so that usage is assigned to the right day and month. Recordings are charged on the day of their analysis, whatever
 * day they show.
 * @returns the ids of runs that could not pay
 */
export async function payForRuns(tx: Tx, runs: readonly MeteredRun[]): Promise<Set<string>> {
  const unpaid = new Set<string>();
  const meters: Meter[] = [];
  // By day, then in the order of users, so that the charges of two nodes do not deadlock.
  for (const run of runs.toSorted((a, b) => compare(a.userId, b.userId) || compare(a.id, b.id))) {
    const { lastFrameAt } = run;
    if (!lastFrameAt) continue;
    const framed = { ...run, lastFrameAt };
    meters.push(run.isRecording ? meterOf(framed) : await leaveDay(tx, framed));
  }
  const live = meters.filter(({ run }) => !run.isRecording);
  for (const day of daysOf(live)) {
    const untilMs = addDays(day, 1).getTime();
    for (const meter of live) if (!(await pay(tx, meter, { untilMs }))) unpaid.add(meter.run.id);
  }
  for (const meter of meters.filter(({ run }) => run.isRecording)) {
    const occurredAt = meter.run.writtenAt;
    if (!(await pay(tx, meter, { occurredAt }))) unpaid.add(meter.run.id);
  }
  for (const { run, paidUntil, slices } of meters) {
    if (run.paidUntil?.getTime() === paidUntil.getTime() && run.paidSlices === slices) continue;
    await tx.$executeRaw`
      UPDATE "AnalysisTask" SET "paidUntil" = ${paidUntil}, "paidSlices" = ${slices} WHERE id = ${run.id}::uuid`;
  }
  return unpaid;
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

function meterOf(run: MeteredRun & { readonly lastFrameAt: Date }): Meter {
  const { lastFrameAt, watchedMs, paidSlices: slices } = run;
  return {
    run,
    lastFrameAt,
    paidUntil: run.paidUntil ?? new Date(lastFrameAt.getTime() - watchedMs),
    slices,
  };
}

/** Refunds the rest of a slice when the run had no frames over midnight: the slice was bought for the day before. */
async function leaveDay(tx: Tx, run: MeteredRun & { readonly lastFrameAt: Date }): Promise<Meter> {
  const { id, previousFrameAt, lastFrameAt, watchedMs } = run;
  const lastMs = lastFrameAt.getTime();
  const unchanged = meterOf(run);
  const { paidUntil, slices } = unchanged;
  const midnight = dayOf(lastFrameAt);
  if (!run.paidUntil || !previousFrameAt || previousFrameAt >= midnight || paidUntil <= midnight)
    return unchanged;
  // Which part of this update lies before midnight is not known; an update covers about a second.
  const today = Math.min(watchedMs, lastMs - midnight.getTime());
  const restMs = paidUntil.getTime() - lastMs + today;
  if (restMs <= 0) return unchanged;
  await refund(tx, { id, slice: slices, seconds: Math.floor(restMs / 1000) });
  return { ...unchanged, paidUntil: new Date(lastMs - today) };
}

/** The days for which runs owe something, in order. */
function daysOf(meters: readonly Meter[]): Date[] {
  const owed = meters.filter(({ paidUntil, lastFrameAt }) => paidUntil <= lastFrameAt);
  const lastMs = Math.max(...owed.map(({ lastFrameAt }) => lastFrameAt.getTime()));
  const days: Date[] = [];
  let day = dayOf(new Date(Math.min(...owed.map(({ paidUntil }) => paidUntil.getTime()))));
  for (; day.getTime() <= lastMs; day = addDays(day, 1)) days.push(day);
  return days;
}

interface PaidPart {
  /** Nothing after this time is paid now. */
  readonly untilMs?: number;
  /** When it counts as used; by default the time of the frames. */
  readonly occurredAt?: Date;
}

/** @returns false when the quota is used up */
async function pay(tx: Tx, meter: Meter, part: PaidPart): Promise<boolean> {
  const { run, lastFrameAt } = meter;
  const { untilMs: midnight = Number.POSITIVE_INFINITY, occurredAt } = part;
  const isOwed = () => (run.hasEnded ? meter.paidUntil < lastFrameAt : meter.paidUntil <= lastFrameAt);
  while (meter.paidUntil.getTime() < midnight && isOwed()) {
    const fromMs = meter.paidUntil.getTime();
    const usedAt = occurredAt ?? meter.paidUntil;
    const endMs = run.hasEnded ? lastFrameAt.getTime() : fromMs + 1000 * (await nextSlice(tx, meter, usedAt));
    const untilMs = Math.min(endMs, midnight);
    const seconds = Math.round((untilMs - fromMs) / 1000);
    const bought = seconds === 0 ? 0 : await buy(tx, meter, { seconds, occurredAt: usedAt });
    if (bought === 0 && seconds > 0) return false;
    meter.paidUntil = new Date(bought === seconds ? untilMs : fromMs + bought * 1000);
  }
  return true;
}

/** @returns the seconds of the next slice that is paid in advance */
async function nextSlice(tx: Tx, { run, slices }: Meter, usedAt: Date): Promise<number> {
  if (slices < SHORT_SLICES) return SLICE_SECONDS;
  const left = await readLeft(tx, run, { feature: 'analysis', period: periodOf(usedAt) });
  return left >= PARTS_LEFT * LONG_SLICE_SECONDS ? LONG_SLICE_SECONDS : SLICE_SECONDS;
}

/** @returns the seconds bought: fewer when the quota of the user or the device ends */
async function buy(
  tx: Tx,
  meter: Meter,
  { seconds, occurredAt }: { seconds: number; occurredAt: Date },
): Promise<number> {
  const { id, userId, deviceId, sceneId, analysisType } = meter.run;
  const about = { userId, deviceId, sceneId, taskId: id, analysisType, occurredAt };
  const grows = await isSameHour(tx, meter, occurredAt);
  const slice = grows ? meter.slices : meter.slices + 1;
  let quantity = seconds;
  while (quantity > 0) {
    const result = await charge(tx, {
      ...{ ...about, feature: 'analysis', quantity, grows },
      sourceId: sliceKey(id, slice),
    });
    if (result.outcome !== 'refused') break;
    quantity = Math.min(quantity - 1, result.available);
  }
  if (quantity <= 0) return 0;
  meter.slices = slice;
  return quantity;
}

/** Whether the last charge of the run began in the same hour UTC: then the next slice adds to it. `paidUntil` keeps it from being added twice. */
async function isSameHour(tx: Tx, { run, slices }: Meter, occurredAt: Date): Promise<boolean> {
  if (slices <= SHORT_SLICES) return false;
  const last = await findUsage(tx, 'analysis', sliceKey(run.id, slices));
  return last !== null && hourOf(last.occurredAt) === hourOf(occurredAt);
}

const hourOf = (time: Date): string => time.toISOString().slice(0, 13);

/** Refunds what ended runs have paid beyond their last frames. */
export async function returnRest(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const rests = await tx.$queryRaw<{ id: string; slice: number; seconds: number }[]>`
    SELECT id, "paidSlices" AS slice, floor(extract(epoch FROM "paidUntil" - "lastFrameAt"))::int AS seconds
    FROM "AnalysisTask"
    WHERE id = ANY(${[...ids]}::uuid[]) AND "paidUntil" >= "lastFrameAt" + interval '1 second'
    ORDER BY "userId", id`;
  for (const rest of rests) await refund(tx, rest);
}

async function refund(
  tx: Tx,
  { id, slice, seconds }: { id: string; slice: number; seconds: number },
): Promise<void> {
  if (seconds < 1) return;
  await rollBack(tx, { feature: 'analysis', sourceId: sliceKey(id, slice), quantity: seconds });
}

const sliceKey = (taskId: string, number: number) => `${taskId}:${number}`;
