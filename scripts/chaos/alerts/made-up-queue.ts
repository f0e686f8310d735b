import type { RunObservation } from '../../../src/lanes/lane-protocol.ts';
import type { Visit } from '../../../src/vision/types.ts';

/** Each round of a scene lasts PERIOD_SECONDS of frame time. In its first ABOVE_SECONDS six people wait, then nobody. */
export const ABOVE_SECONDS = 60;
export const PERIOD_SECONDS = 120;
const PEOPLE = 6;

/** Rounds of different scenes begin at different times. */
const offsetSeconds = (sceneId: string): number => Number.parseInt(sceneId.slice(-4), 16) % PERIOD_SECONDS;

/** The round of a scene at a frame time, and the second within it. The first round is 0. */
export function roundAt(sceneId: string, timeMs: number, baseMs: number): { round: number; second: number } {
  const seconds = Math.round((timeMs - baseMs) / 1000) - offsetSeconds(sceneId);
  const round = Math.floor(seconds / PERIOD_SECONDS);
  return { round, second: seconds - round * PERIOD_SECONDS };
}

function visitsOf(round: number, enteredMs: number, leftMs: number | null): Visit[] {
  return Array.from({ length: PEOPLE }, (_, at) => ({
    id: round * PEOPLE + at + 1,
    trackId: round * PEOPLE + at + 1,
    state: leftMs === null ? 'queued' : 'closed',
    queueEnteredAtMs: enteredMs,
    queueLeftAtMs: leftMs,
    serviceStartedAtMs: null,
    serviceEndedAtMs: null,
    outcome: leftMs === null ? null : 'abandoned',
    arrivalDecidedAtMs: enteredMs,
    outcomeDecidedAtMs: leftMs,
  }));
}

/** The observation of a lane for the frame at this time. It depends on the time alone, so every worker gets the same. */
export function observationAt(
  { sceneId, runId }: { sceneId: string; runId: string },
  timeMs: number,
  baseMs: number,
): RunObservation {
  const { round, second } = roundAt(sceneId, timeMs, baseMs);
  const enteredMs = timeMs - second * 1000;
  const isAbove = round >= 0 && second < ABOVE_SECONDS;
  const openVisits = isAbove ? visitsOf(round, enteredMs, null) : [];
  const changes =
    round >= 0 && second === 0
      ? openVisits
      : round >= 0 && second === ABOVE_SECONDS
        ? visitsOf(round, enteredMs, timeMs)
        : [];
  const observation: RunObservation['observation'] = {
    sceneId,
    timeMs,
    frameIndex: Math.round((timeMs - baseMs) / 1000),
    tracks: [],
    changes: [...changes],
    open: { queued: openVisits.length, inService: 0 },
    staff: null,
    floor: [],
  };
  return { runId, observation, openVisits };
}
