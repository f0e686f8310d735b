import type { Tx } from '../../../../platform/database/db.ts';
import { hasCheckout } from '../../../../vision/scene-zones.ts';
import { storedConfig, storedZones } from '../../../../vision/stored-config.ts';
import type { CheckRow } from '../check.store.ts';
import { countedIn } from '../result.ts';
import { compareTimes } from './compare-times.ts';
import type { TimesResult } from './times.schema.ts';
import { marksOf, visitsWithin } from './times.store.ts';

/** The result of a check of times. */
export async function timesResultOf(tx: Tx, check: CheckRow): Promise<TimesResult> {
  const zones = storedZones.parse(check.zones);
  const { parameters } = storedConfig.parse(check.scene.config);
  const seconds = (check.endsAt.getTime() - check.startedAt.getTime()) / 1000;
  // An analysis that was started again may have another time.
  const { recording } = check.scene;
  const fromMs = recording
    ? recording.recordedAt.getTime() + (check.filmFrom ?? 0) * 1000
    : check.startedAt.getTime();
  const ours = await visitsWithin(tx, check.sceneId, { fromMs, toMs: fromMs + seconds * 1000 });
  const rules = {
    hasCheckout: hasCheckout(zones),
    entry: parameters.entryThresholdSeconds,
    handOver: parameters.exitThresholdSeconds + parameters.trackingMaxAgeSeconds,
  };
  const marks = [...(await marksOf(tx, check.id)).values()];
  return compareTimes(marks, ours, { seconds, rules, has: countedIn(zones) });
}
