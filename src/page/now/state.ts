// What a scene looks like now: its colour and shape, and its place among the others. Rules of the scene decide what is
// bad; numbers alone are neither good nor bad.
import type { LiveScene } from '../api/live-scenes.ts';
import type { Tone } from '../kit/tone.ts';

/** From this age on, numbers do not count as those of now. */
export const OLD_MS = 60_000;

export type Reason =
  | 'critical'
  | 'warning'
  | 'fault'
  | 'offline'
  | 'failed'
  | 'old'
  | 'fine'
  | 'uncertain'
  | 'starting'
  | 'waiting'
  | 'stopped';

interface Look {
  readonly tone: Tone;
  /** Lower is worse: whoever looks sees it first. */
  readonly rank: number;
}

export const LOOKS: Readonly<Record<Reason, Look>> = {
  critical: { tone: 'bad', rank: 0 },
  warning: { tone: 'warn', rank: 1 },
  fault: { tone: 'bad', rank: 2 },
  offline: { tone: 'bad', rank: 2 },
  failed: { tone: 'bad', rank: 2 },
  old: { tone: 'bad', rank: 2 },
  fine: { tone: 'good', rank: 3 },
  uncertain: { tone: 'info', rank: 3 },
  waiting: { tone: 'off', rank: 4 },
  starting: { tone: 'off', rank: 4 },
  stopped: { tone: 'off', rank: 5 },
};

/** @param nowMs by the clock of the service */
export function reasonOf(scene: LiveScene, nowMs: number): Reason {
  const { analysisStatus, device, fault, run } = scene;
  const isWanted = analysisStatus === 'running' || analysisStatus === 'starting';
  if (isWanted && fault) return 'fault';
  if (analysisStatus === 'error') return 'failed';
  if (!isWanted) return 'stopped';
  if (run?.waitingFor) return 'waiting';
  if (device.onlineStatus === 'offline') return 'offline';
  const ageMs = ageOf(scene, nowMs);
  if (analysisStatus === 'starting' || ageMs === null) return 'starting';
  if (ageMs > OLD_MS) return 'old';
  if (scene.isFiring) return scene.firingSeverity === 'critical' ? 'critical' : 'warning';
  return warningsOf(scene).length > 0 ? 'uncertain' : 'fine';
}

/** What may make the numbers of a scene wrong: warnings about its camera, and about the scene itself. */
export const warningsOf = ({ id, device }: Pick<LiveScene, 'id' | 'device'>) =>
  device.warnings.filter(({ sceneId = id }) => sceneId === id);

/** Age of the numbers; null without numbers. */
export const ageOf = ({ updatedAt }: Pick<LiveScene, 'updatedAt'>, nowMs: number): number | null =>
  updatedAt === null ? null : Math.max(0, nowMs - Date.parse(updatedAt));

/** The ids of scenes, worst first: by their state, then by the longest wait, then by the longest queue. */
export function worstFirst(scenes: readonly LiveScene[], nowMs: number): string[] {
  const keyOf = (scene: LiveScene) => ({
    id: scene.id,
    rank: LOOKS[reasonOf(scene, nowMs)].rank,
    wait: scene.current?.estimatedWaitSeconds ?? -1,
    queue: scene.current?.inQueue ?? -1,
  });
  return scenes
    .map(keyOf)
    .sort((one, other) => one.rank - other.rank || other.wait - one.wait || other.queue - one.queue)
    .map(({ id }) => id);
}

export interface Totals {
  readonly waiting: number | null;
  readonly inService: number | null;
  /** Scenes that are measured and need nobody. */
  readonly fine: number;
  /** Scenes of which a rule fires, or that should be measured and are not. */
  readonly attention: number;
  /** Cameras that should be measured and are not. */
  readonly down: number;
}

/** Sums over scenes with numbers of now; null where nothing is measured. */
export function totalsOf(scenes: readonly LiveScene[], nowMs: number): Totals {
  const reasons = scenes.map((scene) => reasonOf(scene, nowMs));
  const measured = scenes.flatMap(({ current }, at) =>
    current && isMeasured(reasons[at]!) ? [current] : [],
  );
  const known = (pick: 'inQueue' | 'inService') => measured.flatMap((current) => current[pick] ?? []);
  const sum = (values: readonly number[]) =>
    values.length === 0 ? null : values.reduce((total, value) => total + value, 0);
  return {
    waiting: sum(known('inQueue')),
    inService: sum(known('inService')),
    fine: reasons.filter((reason) => LOOKS[reason].rank === 3).length,
    attention: reasons.filter((reason) => LOOKS[reason].rank <= 2).length,
    down: new Set(scenes.flatMap(({ device }, at) => (isBroken(reasons[at]!) ? [device.id] : []))).size,
  };
}

/** Whether a scene should be measured and is not: somebody has to look after its camera. */
export const isBroken = (reason: Reason): boolean => LOOKS[reason].rank === 2;

/** Whether the numbers of a scene in this state are those of now. */
export const isMeasured = (reason: Reason): boolean => {
  const { rank } = LOOKS[reason];
  return rank < 2 || rank === 3;
};
