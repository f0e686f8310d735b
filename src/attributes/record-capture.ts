import { charge } from '../billing/charge.ts';
import { findAttributeGroups } from '../cameras/devices/privacy.store.ts';
import type { Tx } from '../platform/database/db.ts';
import { switchedOffGroups } from '../vision/attributes/keys.ts';
import {
  type CapturePlace,
  findRecordBefore,
  insertRecord,
  removeRecord,
  rollUp,
  summariseInsights,
} from './capture.store.ts';
import {
  type Capture,
  captureWithin,
  countAttributes,
  countKnown,
  countsWithin,
  type KeyCounts,
  summaryOf,
} from './capture.ts';

/** Records this close to the alert of an insight belong to the insight. */
export const NEAR_INSIGHT_MS = 30_000;

/** `repeated`: the record existed already. `refused`: plan or quota do not allow it, and nothing was written. */
export type CaptureOutcome = 'recorded' | 'repeated' | 'refused';

/**
 * Stores a capture without what the owner has switched off, charges it, adds it to the sums of its hour and to insights near it. All of this is in the caller's
 * transaction, which holds the lease of the run. A repeated call changes nothing.
 * @param chargedAt when it counts as used; by default the time of the capture
 */
export async function recordCapture(
  tx: Tx,
  place: CapturePlace,
  capture: Capture & { readonly insightId?: string | null; readonly chargedAt?: Date },
): Promise<CaptureOutcome> {
  const groups = await findAttributeGroups(tx, place.deviceId);
  const { atMs, insightId = null, chargedAt = new Date(atMs) } = capture;
  const { persons, coveredKeys } = captureWithin(capture, groups);
  const capturedAt = new Date(atMs);
  const counts = countAttributes(persons, groups);
  const known = countKnown(persons, groups);
  const record = await insertRecord(tx, {
    ...place,
    capturedAt,
    groups,
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
      // One charge for the records of an hour, as for analysis: rows for each would take more room than the records.
      sourceId: `${place.taskId}:${hourOf(chargedAt)}`,
      occurredAt: chargedAt,
      grows: true,
    });
    if (charged.outcome === 'refused') {
      await removeRecord(tx, { sceneId: place.sceneId, capturedAt });
      return 'refused';
    }
    await rollUp(tx, place, { capturedAt, persons, coveredKeys, switchedOff: switchedOffGroups(groups) });
  }
  await summariseInsights(tx, place, {
    at: capturedAt,
    radiusMs: NEAR_INSIGHT_MS,
    summary: summaryOf(persons.length, counts, known),
  });
  return record.isNew ? 'recorded' : 'repeated';
}

/** Within one day and month. */
const hourOf = (time: Date): string => time.toISOString().slice(0, 13);

/** If nobody was captured at an alert, its insight gets the record of shortly before. */
export async function joinRecordBefore(
  tx: Tx,
  place: Pick<CapturePlace, 'userId' | 'deviceId' | 'sceneId'>,
  at: Date,
): Promise<void> {
  const record = await findRecordBefore(tx, place.sceneId, { at, radiusMs: NEAR_INSIGHT_MS });
  if (!record) return;
  const { totalPersons, attributes, known } = record;
  const groups = await findAttributeGroups(tx, place.deviceId);
  const within = (counts: KeyCounts) => countsWithin(counts, groups);
  const summary = summaryOf(totalPersons, within(attributes), known === null ? null : within(known));
  // A radius of 0 finds only this insight.
  await summariseInsights(tx, place, { at, radiusMs: 0, summary });
}
