import type { Visit, VisitOutcome } from '../types.ts';

export type VisitStage = 'outside' | Exclude<Visit['state'], 'closed'> | VisitOutcome;

/**
 * The possible changes of a visit. `outside → in_service`: no stay in the queue was confirmed. `queued → completed`: only
 * without a checkout zone. `discarded`: staff.
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

/** @throws Error if the table does not allow the change: a fault of the caller, never of the input */
export function assertMove(visit: Visit | null, to: VisitStage): void {
  const from = stageOf(visit);
  if (!VISIT_MOVES[from].includes(to)) throw new Error(`A visit cannot go from ${from} to ${to}`);
}

interface Opening {
  readonly id: number;
  readonly trackId: number;
  /** The frame that confirmed the entry. */
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

/** Service without a confirmed stay in the queue. @param startedAtMs first frame inside the checkout zone */
export function enterService(opening: Opening, startedAtMs: number): Visit {
  return {
    ...enterQueue(opening, startedAtMs),
    state: 'in_service',
    queueEnteredAtMs: null,
    serviceStartedAtMs: startedAtMs,
  };
}

/** A stay in the checkout may begin before the visit does: with a short time there before the stay in the queue was confirmed. */
const notBeforeEntry = ({ queueEnteredAtMs }: Visit, timeMs: number): number =>
  Math.max(timeMs, queueEnteredAtMs ?? timeMs);

/** From the queue to the checkout. Both times are back-dated. */
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

export interface VisitEnd {
  /** Of the wait or the service: the last frame inside, back-dated. */
  readonly endedAtMs: number;
  readonly decidedAtMs: number;
}

/** Ends a visit. */
export function closeVisit(visit: Visit, outcome: VisitOutcome, { endedAtMs, decidedAtMs }: VisitEnd): Visit {
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

/** Ends the visit of a person who is staff: no metric counts it from then on. */
export function discardVisit(visit: Visit, decidedAtMs: number): Visit {
  assertMove(visit, 'discarded');
  return { ...visit, state: 'discarded', outcomeDecidedAtMs: decidedAtMs };
}

/** Seconds of waiting: until the service, or without one until leaving the queue. Null where not measured. */
export function waitSeconds(visit: Visit): number | null {
  const until = visit.serviceStartedAtMs ?? visit.queueLeftAtMs;
  if (visit.queueEnteredAtMs === null || until === null) return null;
  if (visit.outcome === 'lost' && visit.serviceStartedAtMs === null) return null;
  return (until - visit.queueEnteredAtMs) / 1000;
}

/** Seconds of service; null where not measured, as for a visit that was lost in service. */
export function serviceSeconds(visit: Visit): number | null {
  if (visit.serviceStartedAtMs === null || visit.serviceEndedAtMs === null || visit.outcome === 'lost')
    return null;
  return (visit.serviceEndedAtMs - visit.serviceStartedAtMs) / 1000;
}

/** Whether the person waits now. Between leaving the queue and the decision about the visit they do not. */
export const isWaiting = (visit: Visit): boolean => visit.state === 'queued' && visit.queueLeftAtMs === null;

/** Whether the person is served now. Between leaving a till and the decision about the visit they are not. */
export const isServed = (visit: Visit): boolean =>
  visit.state === 'in_service' && visit.serviceEndedAtMs === null;
