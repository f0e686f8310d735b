import type { Visit, VisitOutcome } from '../types.ts';

export type VisitStage = 'outside' | Exclude<Visit['state'], 'closed'> | VisitOutcome;

/**
 * The moves a visit can make. `outside → in_service` is somebody who never was confirmed in a queue,
 * `queued → completed` happens only where there is no checkout zone, `discarded` only where there is a staff zone.
 */
export const VISIT_MOVES: Readonly<Record<VisitStage, readonly VisitStage[]>> = {
  outside: ['queued', 'in_service'],
  queued: ['in_service', 'completed', 'abandoned', 'lost', 'discarded'],
  in_service: ['completed', 'lost', 'discarded'],
  completed: [],
  abandoned: [],
  lost: [],
  discarded: [],
};

export const stageOf = (visit: Visit | null): VisitStage =>
  !visit ? 'outside' : visit.state === 'closed' ? visit.outcome! : visit.state;

/** @throws Error if the table does not allow the move: a fault of the caller, never of the input */
export function assertMove(visit: Visit | null, to: VisitStage): void {
  const from = stageOf(visit);
  if (!VISIT_MOVES[from].includes(to)) throw new Error(`A visit cannot go from ${from} to ${to}`);
}

interface Opening {
  readonly id: number;
  readonly trackId: number;
  /** Frame of the decision. */
  readonly decidedAtMs: number;
}

/** @param enteredAtMs first frame inside the queue zone */
export function enterQueue({ id, trackId, decidedAtMs }: Opening, enteredAtMs: number): Visit {
  return {
    id,
    trackId,
    state: 'queued',
    queueEnteredAtMs: enteredAtMs,
    queueLeftAtMs: null,
    serviceStartedAtMs: null,
    serviceEndedAtMs: null,
    outcome: null,
    arrivalDecidedAtMs: decidedAtMs,
    outcomeDecidedAtMs: null,
  };
}

/** Service without a confirmed queue before it. @param startedAtMs first frame inside the checkout zone */
export function enterService(opening: Opening, startedAtMs: number): Visit {
  return {
    ...enterQueue(opening, startedAtMs),
    state: 'in_service',
    queueEnteredAtMs: null,
    serviceStartedAtMs: startedAtMs,
  };
}

/** A stay in the checkout may have begun before the visit: a flicker there, out of the queue that was not confirmed yet. */
const notBeforeEntry = ({ queueEnteredAtMs }: Visit, timeMs: number): number =>
  Math.max(timeMs, queueEnteredAtMs ?? timeMs);

/** The hand-over from queue to checkout. Both times back-dated. */
export function startService(
  visit: Visit,
  { queueLeftAtMs, startedAtMs }: { queueLeftAtMs: number; startedAtMs: number },
): Visit {
  assertMove(visit, 'in_service');
  return {
    ...visit,
    state: 'in_service',
    queueLeftAtMs: notBeforeEntry(visit, Math.min(queueLeftAtMs, startedAtMs)),
    serviceStartedAtMs: notBeforeEntry(visit, startedAtMs),
  };
}

/**
 * Ends a visit. What it was doing ends at `endedAtMs` (back-dated: the last frame inside);
 * of a lost one that is the last moment known.
 */
export function closeVisit(
  visit: Visit,
  outcome: VisitOutcome,
  { endedAtMs, decidedAtMs }: { endedAtMs: number; decidedAtMs: number },
): Visit {
  assertMove(visit, outcome);
  const inService = visit.state === 'in_service';
  return {
    ...visit,
    state: 'closed',
    queueLeftAtMs: inService ? visit.queueLeftAtMs : notBeforeEntry(visit, visit.queueLeftAtMs ?? endedAtMs),
    serviceEndedAtMs: inService ? endedAtMs : null,
    outcome,
    outcomeDecidedAtMs: decidedAtMs,
  };
}

/** The visit of somebody who turned out to be staff: no number counts it from then on. */
export function discardVisit(visit: Visit, decidedAtMs: number): Visit {
  assertMove(visit, 'discarded');
  return { ...visit, state: 'discarded', outcomeDecidedAtMs: decidedAtMs };
}

/** Seconds of waiting: until service; of somebody who gave up or only queued, until leaving. Null where not measured. */
export function waitSeconds(visit: Visit): number | null {
  const until = visit.serviceStartedAtMs ?? visit.queueLeftAtMs;
  if (visit.queueEnteredAtMs === null || until === null) return null;
  if (visit.outcome === 'lost' && visit.serviceStartedAtMs === null) return null;
  return (until - visit.queueEnteredAtMs) / 1000;
}

/** Seconds of service; null where not measured, which is so when the visit was lost during it. */
export function serviceSeconds(visit: Visit): number | null {
  if (visit.serviceStartedAtMs === null || visit.serviceEndedAtMs === null || visit.outcome === 'lost')
    return null;
  return (visit.serviceEndedAtMs - visit.serviceStartedAtMs) / 1000;
}

/** Whether a visit counts as waiting now: confirmed out of the queue, it waits only to be understood. */
export const isWaiting = (visit: Visit): boolean => visit.state === 'queued' && visit.queueLeftAtMs === null;

export const isServed = (visit: Visit): boolean => visit.state === 'in_service';
