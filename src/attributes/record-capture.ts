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

/** Records this close to the alert of an insight belong to the insight. */
export const NEAR_INSIGHT_MS = 30_000;

/** `repeated`: the record existed already. `refused`: plan or quota do not allow it, and nothing was written. */
export type CaptureOutcome = 'recorded' | 'repeated' | 'refused';

/**
 * Stores a capture, charges it, adds it to the sums of its hour and to insights near it. All of this is in the caller's
 * transaction, which holds the lease of the run. A repeated call changes nothing.
 * @param chargedAt when it counts as used; by default the time of the capture
 */
export async function recordCapture(
  tx: Tx,
  place: CapturePlace,
  {
    atMs,
    persons,
    coveredKeys,
    insightId = null,
    chargedAt = new Date(atMs),
  }: Capture & { readonly insightId?: string | null; readonly chargedAt?: Date },
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
      occurredAt: chargedAt,
    });
    if (charged.outcome === 'refused') {
      await removeRecord(tx, { sceneId: place.sceneId, capturedAt });
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

/** If nobody was captured at an alert, its insight gets the record of shortly before. */
export async function joinRecordBefore(
  tx: Tx,
  place: Pick<CapturePlace, 'userId' | 'sceneId'>,
  at: Date,
): Promise<void> {
  const record = await findRecordBefore(tx, place.sceneId, { at, radiusMs: NEAR_INSIGHT_MS });
  if (!record) return;
  const { totalPersons, attributes, known } = record;
  const summary = summaryOf(totalPersons, attributes as KeyCounts, known as KeyCounts | null);
  // A radius of 0 finds only this insight.
  await summariseInsights(tx, place, { at, radiusMs: 0, summary });
}
