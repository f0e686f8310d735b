// What a scene looks like now: its colour and shape, and its place among the others. Its target and its rules decide what is
// bad; without a target numbers are neither good nor bad.
import type { LiveScene } from '../api/live-scenes.ts';
import type { Tone } from '../kit/tone.ts';
import { againstTarget } from './target-state.ts';

/** From this age on, numbers do not count as those of now. */
export const OLD_MS = 60_000;

export type Reason =
  | 'critical'
  | 'over'
  | 'warning'
  | 'fault'
  | 'offline'
  | 'failed'
  | 'old'
  | 'close'
  | 'fine'
  | 'counting'
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
  over: { tone: 'bad', rank: 0 },
  warning: { tone: 'warn', rank: 1 },
  fault: { tone: 'bad', rank: 2 },
  offline: { tone: 'bad', rank: 2 },
  failed: { tone: 'bad', rank: 2 },
  old: { tone: 'bad', rank: 2 },
  close: { tone: 'warn', rank: 3 },
  fine: { tone: 'good', rank: 4 },
  counting: { tone: 'plain', rank: 4 },
  uncertain: { tone: 'info', rank: 4 },
  waiting: { tone: 'off', rank: 5 },
  starting: { tone: 'off', rank: 5 },
  stopped: { tone: 'off', rank: 6 },
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
  if (scene.isFiring && scene.firingSeverity === 'critical') return 'critical';
  const held = againstTarget(scene.current, scene.effectiveTarget)?.held;
  if (held === 'over') return 'over';
  if (scene.isFiring) return 'warning';
  if (held === 'close') return 'close';
  if (warningsOf(scene).length > 0) return 'uncertain';
  return held === 'within' ? 'fine' : 'counting';
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
  /** Those of them whose wait is within its target. */
  readonly held: number;
  readonly close: number;
  /** Scenes that miss their target or of which a rule fires, or that should be measured and are not. */
  readonly attention: number;
  /** Cameras that should be measured and are not. */
  readonly down: number;
}

/** Sums over scenes with numbers of now; null where nothing is measured. */
export function totalsOf(scenes: readonly LiveScene[], nowMs: number): Totals {
  const known = scenes.map((scene) => ({ ...scene, reason: reasonOf(scene, nowMs) }));
  const countOf = (has: (reason: Reason) => boolean) => known.filter(({ reason }) => has(reason)).length;
  const measured = known.flatMap(({ current, reason }) => (current && isMeasured(reason) ? [current] : []));
  const values = (pick: 'inQueue' | 'inService') => measured.flatMap((current) => current[pick] ?? []);
  const sum = (values: readonly number[]) =>
    values.length === 0 ? null : values.reduce((total, value) => total + value, 0);
  return {
    waiting: sum(values('inQueue')),
    inService: sum(values('inService')),
    fine: countOf((reason) => LOOKS[reason].rank === 4),
    held: countOf((reason) => reason === 'fine'),
    close: countOf((reason) => reason === 'close'),
    attention: countOf((reason) => LOOKS[reason].rank <= 2),
    down: new Set(known.flatMap(({ device, reason }) => (isBroken(reason) ? [device.id] : []))).size,
  };
}

/** Whether a scene should be measured and is not: somebody has to look after its camera. */
export const isBroken = (reason: Reason): boolean => LOOKS[reason].rank === 2;

/** Whether the numbers of a scene in this state are those of now. */
export const isMeasured = (reason: Reason): boolean => {
  const { rank } = LOOKS[reason];
  return rank < 2 || rank === 3 || rank === 4;
};
