import type { z } from 'zod';
import { type Rotation, turnedSize } from '../../video/picture/turn.ts';
import { storedVideoTracks } from '../../video/probe/probed-stream.ts';
import { storedMasks } from '../../vision/stored-config.ts';
import { storedStats } from '../store/run-stats.ts';
import { stateOf } from '../store/states.ts';
import type { LatestRun } from '../store/task.store.ts';
import type { RecordingRow } from './recording.store.ts';
import type { recording, recordingAnalysis } from './schema.ts';

type Analysis = z.input<typeof recordingAnalysis>;

/** The columns of a run that its recording shows. */
export type ShownAnalysis = Pick<
  LatestRun,
  | 'completedAt'
  | 'errorMessage'
  | 'id'
  | 'positionMs'
  | 'reason'
  | 'runStatus'
  | 'startedAt'
  | 'stats'
  | 'status'
  | 'stopRequestedAt'
  | 'uptimeMs'
>;

const NONE: Analysis = {
  status: 'none',
  ...{ progressPercent: null, positionSeconds: null, secondsPerSecond: null, etaSeconds: null },
  ...{ error: null, taskId: null, startedAt: null, completedAt: null },
};

const OUT_OF_QUOTA =
  'The quota of analysis seconds of this month is used up: ask for more, then start again.';

/** A stop of a run that a node holds ends it as completed; its reason says that it did not come to the end. */
function shownStatus(run: ShownAnalysis): { status: Analysis['status']; error: string | null } {
  const state = stateOf(run);
  if (state === 'failed') return { status: state, error: run.errorMessage };
  if (state === 'queued' || state === 'cancelled') return { status: state, error: null };
  if (state !== 'completed') return { status: 'running', error: null };
  if (run.reason === 'resource_constraint') return { status: 'failed', error: OUT_OF_QUOTA };
  return { status: run.reason === null ? state : 'cancelled', error: null };
}

/** @param run null: it was never started */
export function presentAnalysis(run: ShownAnalysis | null, durationMs: number): Analysis {
  if (run === null) return NONE;
  const { status, error } = shownStatus(run);
  const positionMs = Math.min(Math.max(run.positionMs ?? 0, 0), durationMs);
  const speed = positionMs > 0 && run.uptimeMs > 0 ? speedOf(run, positionMs) : null;
  const isTimed = status === 'running' && speed !== null;
  return {
    status,
    progressPercent: status === 'completed' ? 100 : rounded((100 * positionMs) / durationMs, 1),
    positionSeconds: positionMs / 1000,
    secondsPerSecond: speed && rounded(speed, 2),
    etaSeconds: isTimed ? rounded((durationMs - positionMs) / speed / 1000, 0) : null,
    error,
    taskId: run.id,
    startedAt: run.startedAt?.toISOString() ?? null,
    completedAt: run.completedAt?.toISOString() ?? null,
  };
}

/** That of the last ten seconds: the analysis may have waited for cameras before. Afterwards the average. */
function speedOf({ completedAt, stats, uptimeMs }: ShownAnalysis, positionMs: number): number {
  const { secondsPerSecond } = storedStats.parse(stats ?? {});
  return (completedAt === null && secondsPerSecond) || positionMs / uptimeMs;
}

const rounded = (value: number, digits: number): number => Number(value.toFixed(digits));

/** Between two of its frames people come and go. */
const LEAST_FPS = 1;

type Warnings = z.input<typeof recording>['warnings'];

function fewFrames({ sourceFps }: Pick<RecordingRow, 'sourceFps'>): Warnings {
  if (sourceFps === null || sourceFps >= LEAST_FPS) return [];
  const seconds = rounded(1 / sourceFps, 1);
  const message = `The video has one frame every ${seconds} seconds, like a time-lapse: people are not followed from frame to frame, so that visits and waiting times are missing or wrong. Upload a video with at least 5 frames a second`;
  return [{ reason: 'few_frames', message }];
}

const tracksOf = (row: RecordingRow): z.input<typeof recording>['videoTracks'] =>
  storedVideoTracks.parse(row.videoTracks).map(({ fps, ...track }) => ({
    ...track,
    sourceFps: fps,
  }));

/** Of a picture that was turned since the analysis nothing is known. */
function pictureTurned({ device }: RecordingRow, run: ShownAnalysis | null): Warnings {
  const { wantedRotation: rotation } = storedStats.parse(run?.stats ?? {});
  const isTold = rotation !== undefined && rotation !== null && rotation !== device.rotation;
  if (!isTold) return [];
  const message = `People are found only when the picture is turned, so that hardly anybody is counted: set \`rotation\` of the recording to ${rotation}, draw its zones again, then analyse it again`;
  return [{ reason: 'picture_turned', message, rotation }];
}

export const presentRecording = (
  row: RecordingRow,
  run: ShownAnalysis | null,
): z.input<typeof recording> => ({
  id: row.id,
  name: row.name,
  sceneId: row.sceneId,
  deviceId: row.deviceId,
  format: row.format as z.input<typeof recording>['format'],
  codec: row.codec,
  sizeBytes: Number(row.sizeBytes),
  durationSeconds: row.durationMs / 1000,
  ...turnedSize({ width: row.width, height: row.height }, row.device.rotation as Rotation),
  sourceFps: row.sourceFps,
  videoTrack: row.videoTrack,
  videoTracks: tracksOf(row),
  warnings: [...fewFrames(row), ...pictureTurned(row, run)],
  recordedAt: row.recordedAt.toISOString(),
  timezone: row.timezone,
  rotation: row.device.rotation as Rotation,
  analysisFps: row.device.analysisFps,
  plan: row.device.plan,
  privacyMask: storedMasks.parse(row.device.privacyMask),
  attributeGroups: row.device.attributeGroups as z.input<typeof recording>['attributeGroups'],
  analysis: presentAnalysis(run, row.durationMs),
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});
