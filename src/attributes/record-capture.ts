import { charge } from '../billing/charge.ts';
import type { Tx } from '../platform/database/db.ts';
import {
  type CapturePlace,
  findRecordBefore,
  insertRecord,
  removeRecord,
  rollUp,
  summariseInsights,
} from './capture.store.ts';
import { type Capture, countAttributes, countKnown, type KeyCounts, summaryOf } from './capture.ts';

/** Records this near to an insight's alert are its attributes. */
export const NEAR_INSIGHT_MS = 30_000;

/** `repeated`: it was recorded before. `refused`: the plan or the quota does not allow it. Nothing was written then. */
export type CaptureOutcome = 'recorded' | 'repeated' | 'refused';

/**
 * Records who was in the picture, charges it, adds it to the hour's sums and joins it to insights near it; all in the
 * caller's transaction, which holds the run. The same again changes nothing.
 */
export async function recordCapture(
  tx: Tx,
  place: CapturePlace,
  { atMs, persons, coveredKeys, insightId = null }: Capture & { readonly insightId?: string | null },
): Promise<CaptureOutcome> {
  const capturedAt = new Date(atMs);
  const counts = countAttributes(persons);
  const known = countKnown(persons);
  const record = await insertRecord(tx, {
    ...place,
    capturedAt,
    counts,
    known,
    coveredKeys,
    persons,
    insightId,
  });
  if (!record) return 'refused';
  if (record.isNew) {
    const { computeNodeId: _, ...whose } = place;
    const charged = await charge(tx, {
      ...whose,
      analysisType: 'queue_analysis',
      feature: 'attribute',
      quantity: 1,
      sourceId: record.id,
      occurredAt: capturedAt,
    });
    if (charged.outcome === 'refused') {
      await removeRecord(tx, record.id);
      return 'refused';
    }
    await rollUp(tx, place, { capturedAt, persons, coveredKeys });
  }
  await summariseInsights(tx, place, {
    at: capturedAt,
    radiusMs: NEAR_INSIGHT_MS,
    summary: summaryOf(persons.length, counts, known),
  });
  return record.isNew ? 'recorded' : 'repeated';
}

/** An insight whose alert fired while nobody could be captured gets what was recorded shortly before. */
export async function joinRecordBefore(
  tx: Tx,
  place: Pick<CapturePlace, 'userId' | 'sceneId'>,
  at: Date,
): Promise<void> {
  const record = await findRecordBefore(tx, place.sceneId, { at, radiusMs: NEAR_INSIGHT_MS });
  if (!record) return;
  const { totalPersons, attributes, known } = record;
  const summary = summaryOf(totalPersons, attributes as KeyCounts, known as KeyCounts | null);
  // Only the insight of this very moment.
  await summariseInsights(tx, place, { at, radiusMs: 0, summary });
}
