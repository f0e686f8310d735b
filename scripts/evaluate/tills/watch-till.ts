import type { Span } from '../../../src/cameras/scenes/checks/times/match-spans.ts';
import type { LabelledStay } from '../../../src/cameras/scenes/checks/times/true-visit.ts';
import type { SceneObservation } from '../../../src/vision/pipeline.ts';
import type { AnalysisAccuracy } from '../../../src/vision/region.ts';
import type { TillSecond } from '../../../src/vision/tills/till-watch.ts';
import { CLASS_IDS, type Detection } from '../../../src/vision/types.ts';
import { scoreVideo } from '../visits/own-camera.ts';
import type { Case } from '../visits/score-labels.ts';
import { type LiveTill, scoreTills } from './score-states.ts';
import {
  type CountAt,
  compareLooks,
  comparePeople,
  countsOfStays,
  type Stays,
  type TillCounts,
} from './score-till.ts';
import { statesBySecond } from './states-file.ts';
import type { Till } from './till-folder.ts';

/** What a picture of the film shows of one analysed frame. */
export interface TillFrame {
  readonly timeMs: number;
  readonly people: SceneObservation['tracks'];
  readonly open: SceneObservation['open'];
  /** Of the scene's class. */
  readonly detections: readonly Detection[];
}

export interface WatchedTill {
  readonly till: Till;
  readonly seconds: number;
  readonly counts: TillCounts;
  readonly missed: readonly (Case & { readonly person: string })[];
  readonly invented: readonly (Case & { readonly trackId: number })[];
  readonly frames: readonly TillFrame[];
}

/** The final states by till and second. */
function secondsOf(final: readonly TillSecond[], tillIds: readonly string[]) {
  return new Map(
    tillIds.map((id, at) => [
      id,
      new Map(final.map(({ timeMs, states }) => [timeMs / 1000, states[at]! as string])),
    ]),
  );
}

/** Runs a film through the service and compares it with its labels. @throws Error as `scoreVideo` */
export async function watchTill(
  till: Till,
  options: { readonly fps: number; readonly model: string; readonly accuracy: AnalysisAccuracy },
): Promise<WatchedTill> {
  const { video, labels: path, config, counts: counted, states } = till;
  const tillIds = (config.zones.tills ?? []).map(({ id }) => id);
  const final: TillSecond[] = [];
  const shown: LiveTill[] = [];
  const classIds = CLASS_IDS[config.parameters.class];
  const frames: TillFrame[] = [];
  const { labels, replay, counts, lengthErrors, missed, invented } = await scoreVideo({
    ...{ ...options, video, config, labels: path, mayLackVisits: counted !== null },
    onFrame: (timeMs, { observation: { tracks: people, open, tills }, detections }) => {
      frames.push({
        ...{ timeMs, people, open },
        detections: detections.filter(({ classId }) => classIds.includes(classId)),
      });
      final.push(...(tills?.settled ?? []));
      const second = Math.floor(timeMs / 1000);
      for (const { tillId, state } of tills?.now ?? []) shown.push({ tillId, second, state });
    },
    onEnd: (last) => final.push(...last),
  });
  const { seconds, visits } = replay;
  const isLabelled = labels.some(({ till }) => till !== undefined);
  const span = (from: number | null, to: number | null): Span[] =>
    from === null ? [] : [[from * 1000, (to ?? seconds) * 1000]];
  const labelled = (stay: LabelledStay | null) => span(stay?.from ?? null, stay?.to ?? null);
  const truth: Stays = {
    queue: labels.flatMap(({ queue }) => labelled(queue)),
    service: labels.flatMap(({ service }) => labelled(service)),
  };
  const ours: Stays = {
    queue: visits.flatMap(({ queueEnteredAt, queueLeftAt }) => span(queueEnteredAt, queueLeftAt)),
    service: visits.flatMap(({ serviceStartedAt, serviceEndedAt }) => span(serviceStartedAt, serviceEndedAt)),
  };
  const people = counted ?? countsOfStays(truth, seconds);
  const live = frames.map(
    ({ timeMs, open }): CountAt => ({ timeMs, inQueue: open.queued, inService: open.inService }),
  );
  return {
    ...{ till, seconds, missed, invented, frames },
    counts: {
      ...counts,
      people: comparePeople(people, ours),
      looks: compareLooks(people, live, config.parameters.entryThresholdSeconds),
      waitErrors: lengthErrors.queue,
      serviceErrors: lengthErrors.service,
      tills: scoreTills({
        truth: {
          tillIds,
          states: statesBySecond(states ?? [], tillIds, seconds),
          services: labels.flatMap(({ till, service }) =>
            till !== undefined && service
              ? [{ tillId: till, from: service.from, to: service.to ?? seconds }]
              : [],
          ),
        },
        seconds: secondsOf(final, tillIds),
        live: shown,
        services: isLabelled
          ? visits.flatMap(({ services = [] }) =>
              services.map(({ tillId, startedAt, endedAt }) => ({
                ...{ tillId, from: startedAt, to: endedAt ?? seconds },
              })),
            )
          : [],
      }),
    },
  };
}
