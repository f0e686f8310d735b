import { isAlertFacts } from '../alerts/alert-facts.ts';
import { charge } from '../billing/charge.ts';
import { announceInsight } from '../delivery/live/announce-insight.ts';
import { VlmFailure } from '../platform/chat/vlm-failure.ts';
import type { Context } from '../platform/context.ts';
import type { Tx } from '../platform/database/db.ts';
import { timezoneOf } from '../platform/jobs/schedule.ts';
import { placeOf, traced } from '../platform/tracing/tracing.ts';
import {
  awaitImage,
  type ClaimedInsight,
  completeInsight,
  failInsight,
  postponeInsight,
  readMaterial,
  releaseClaim,
  tokensOfAttempt,
} from './describe.store.ts';
import { settleTokens } from './reservation.ts';
import type { InsightWriter, Material, Written } from './writer.ts';

/** Pauses before attempts 2 to 5. */
const RETRY_SECONDS = [10, 60, 300, 600] as const;
/** Each pause varies by so much, so that insights that failed together do not come back together. */
const JITTER = 0.2;

export interface DescribeContext extends Pick<Context, 'db' | 'clock' | 'images' | 'logger'> {
  readonly writer: InsightWriter;
  /** Returns 0-1; tests pass their own. */
  readonly random?: () => number;
}

/**
 * `later`: the next attempt is at `dueAt`. `waiting`: the insight becomes due when its image is added. `superseded`: the
 * insight was settled elsewhere.
 */
export type Described =
  | { readonly outcome: 'completed' | 'failed' | 'superseded' | 'waiting' }
  | { readonly outcome: 'later'; readonly dueAt: Date };

/**
 * Describes an insight that this program has claimed. Tokens are reserved before the model is asked. The transaction
 * that stores the answer settles them to the used quantity. If the program dies, the next one makes the same attempt
 * with the same reservation.
 */
export function describeInsight(
  context: DescribeContext,
  claimed: ClaimedInsight,
  signal: AbortSignal,
): Promise<Described> {
  const { id, userId, attempt, alertEventId, sceneId, deviceId } = claimed;
  const attributes = {
    ...{ 'insight.id': id, 'insight.attempt': attempt, 'alert.event.id': alertEventId },
    ...{ 'user.id': userId, 'scene.id': sceneId, 'device.id': deviceId },
  };
  return traced({ name: 'insight', parent: placeOf(alertEventId), attributes }, async (span) => {
    const described = await tryToDescribe(context, claimed, signal);
    span.add({ 'insight.outcome': described.outcome });
    return described;
  });
}

async function tryToDescribe(
  context: DescribeContext,
  claimed: ClaimedInsight,
  signal: AbortSignal,
): Promise<Described> {
  try {
    const material = await gather(context, claimed);
    if (material === null) return await waitForImage(context, claimed);
    await reserve(context, claimed);
    return await complete(context, claimed, await context.writer.write(material, signal));
  } catch (error) {
    // The program stops: another one makes this attempt at once, with the same reservation.
    if (signal.aborted) return handBack(context, claimed);
    if (!(error instanceof VlmFailure)) throw error;
    return giveUp(context, claimed, error);
  }
}

async function handBack({ db, clock }: DescribeContext, claimed: ClaimedInsight): Promise<Described> {
  await releaseClaim(db, claimed);
  return { outcome: 'later', dueAt: clock.now() };
}

/** @returns null while a required image is not stored yet */
async function gather(
  { db, images, writer }: DescribeContext,
  { id }: ClaimedInsight,
): Promise<Material | null> {
  const row = await readMaterial(db, id);
  if (!row) throw new VlmFailure('SNAPSHOT_MISSING', 'The insight is gone.');
  const { alertEvent, scene, sceneId, severity, triggeredAt } = row;
  const { message, metricPath, operator, threshold, actualValue } = alertEvent;
  if (writer.needsImages && alertEvent.images.length === 0 && alertEvent.awaitsPictures) return null;
  const keys = writer.needsImages ? alertEvent.images.map(({ objectKey }) => objectKey) : [];
  const found = (await Promise.all(keys.map((key) => images.get(key)))).filter((image) => image !== null);
  if (writer.needsImages && found.length === 0) {
    throw new VlmFailure('SNAPSHOT_MISSING', 'There is no image of this alert.');
  }
  const facts = isAlertFacts(alertEvent.facts) ? alertEvent.facts : null;
  return {
    ...{ sceneId, sceneName: scene.name, deviceName: row.device.name, severity, triggeredAt },
    ...{ message, metricPath, operator, threshold, actualValue, facts },
    timezone: timezoneOf(row.device) ?? facts?.timezone ?? row.user.timezone,
    locale: row.user.locale,
    images: found,
  };
}

/** The insight waits until the image is added, or until its deadline. This does not count as an attempt. */
async function waitForImage({ db, clock }: DescribeContext, claimed: ClaimedInsight): Promise<Described> {
  const isMine = await db.$transaction((tx) => awaitImage(tx, claimed, clock.now()));
  return { outcome: isMine ? 'waiting' : 'superseded' };
}

const reservationOf = ({ id, attempt }: Pick<ClaimedInsight, 'id' | 'attempt'>) => `insight:${id}:${attempt}`;

async function reserve({ db, writer, clock }: DescribeContext, claimed: ClaimedInsight): Promise<void> {
  if (writer.reservedTokens === 0) return;
  const { userId, deviceId, sceneId } = claimed;
  const about = { userId, deviceId, sceneId, analysisType: 'queue_analysis', feature: 'vlm' } as const;
  const reserved = await db.$transaction((tx) =>
    charge(tx, {
      ...about,
      quantity: writer.reservedTokens,
      sourceId: reservationOf(claimed),
      occurredAt: clock.now(),
    }),
  );
  if (reserved.outcome !== 'refused') return;
  throw new VlmFailure('VLM_QUOTA_EXCEEDED', `The ${reserved.scope} has no VLM tokens left.`);
}

function complete(
  { db, writer, clock }: DescribeContext,
  claimed: ClaimedInsight,
  written: Written,
): Promise<Described> {
  const now = clock.now();
  return db.$transaction(async (tx) => {
    const insight = { ...written, provider: writer.name, model: writer.model };
    const isMine = await completeInsight(tx, claimed, { written: insight, now });
    if (isMine) await announceInsight(tx, claimed);
    await settleTokens(tx, reservationOf(claimed), {
      used: isMine ? written.inputTokens + written.outputTokens : await tokensOfAttempt(tx, claimed),
      now,
    });
    return { outcome: isMine ? 'completed' : 'superseded' };
  });
}

/** Gives back the reservation of an attempt that did not end. */
export const releaseReservation = (
  tx: Tx,
  tried: { id: string; attempt: number },
  now: Date,
): Promise<void> => settleTokens(tx, reservationOf(tried), { used: 0, now });

async function giveUp(
  { db, writer, clock, logger, random = Math.random }: DescribeContext,
  claimed: ClaimedInsight,
  failure: VlmFailure,
): Promise<Described> {
  const now = clock.now();
  const dueAt = nextTry(claimed, failure, { now, random });
  logger.warn(
    { insightId: claimed.id, attempt: claimed.attempt, code: failure.code, dueAt },
    failure.message,
  );
  return db.$transaction(async (tx) => {
    const { code: error } = failure;
    const isMine = dueAt
      ? await postponeInsight(tx, claimed, { error, dueAt })
      : await failInsight(tx, claimed, { error, provider: writer.name, now });
    if (isMine && !dueAt) await announceInsight(tx, claimed);
    const used = isMine ? 0 : await tokensOfAttempt(tx, claimed);
    await settleTokens(tx, reservationOf(claimed), { used, now });
    if (!isMine) return { outcome: 'superseded' };
    return dueAt ? { outcome: 'later', dueAt } : { outcome: 'failed' };
  });
}

/** @returns null when no attempt is left */
function nextTry(
  { attempt, deadlineAt }: ClaimedInsight,
  failure: VlmFailure,
  { now, random }: { now: Date; random: () => number },
): Date | null {
  const seconds = RETRY_SECONDS[attempt - 1];
  if (!failure.isPassing || seconds === undefined) return null;
  const jittered = seconds * (1 - JITTER + 2 * JITTER * random());
  const dueAt = new Date(now.getTime() + Math.max(jittered, failure.retryAfterSeconds) * 1000);
  return dueAt < deadlineAt ? dueAt : null;
}
