import { type AlertFacts, MOST_TRACKS } from '../../../alerts/alert-facts.ts';
import type { Fired } from '../../../alerts/rule-watch.ts';
import type { Capture } from '../../../attributes/capture.ts';
import type { Metrics } from '../../../catalogue/metrics/all.ts';
import type { RunObservation } from '../../../lanes/lane-protocol.ts';
import { hasZone } from '../../../vision/scene-zones.ts';
import type { QueueZones, SceneConfig } from '../../../vision/types.ts';
import type { ClaimedRun } from '../../store/claim-runs.store.ts';

/** A rule that fires, with everything its alert event is made of. */
export interface Firing extends Fired {
  /** Frame time. */
  readonly atMs: number;
  readonly facts: AlertFacts;
  /** The people in the frame; null when there is nobody, or when the run classifies no attributes. */
  readonly capture: Capture | null;
}

export type FiredRun = ClaimedRun & { readonly nodeId: string };

/** A frame in which rules of a run fire. */
export interface FiredFrame {
  readonly run: FiredRun;
  readonly zones: QueueZones;
  readonly frameIndex: number;
  readonly firings: readonly Firing[];
}

interface Seen {
  readonly config: SceneConfig;
  readonly observation: RunObservation['observation'];
  readonly metrics: Metrics;
  readonly capture: Capture | null;
}

export function firedFrameOf(
  run: FiredRun,
  fired: readonly Fired[],
  { config, observation, metrics, capture }: Seen,
): FiredFrame {
  const { zones, parameters } = config;
  const { timeMs: atMs, frameIndex, tracks } = observation;
  const firings = fired.map(({ rule, held, holdingSinceMs }): Firing => {
    const facts: AlertFacts = {
      version: 1,
      ruleName: rule.name,
      conditions: rule.conditions,
      logicOperator: rule.logicOperator,
      durationSeconds: rule.durationSeconds,
      holdingSince: new Date(holdingSinceMs).toISOString(),
      timezone: rule.schedule?.timezone ?? run.timezone,
      seen: parameters.class,
      zones: (['queueZone', 'checkoutZone'] as const).filter((name) => hasZone(zones, name)),
      tracks: tracks.slice(0, MOST_TRACKS),
      metrics,
    };
    return { rule, held, holdingSinceMs, atMs, facts, capture };
  });
  return { run, zones, frameIndex, firings };
}
