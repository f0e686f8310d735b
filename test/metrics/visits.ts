import type { Visit } from '../../src/vision/types.ts';

const BLANK: Visit = {
  id: 1,
  trackId: 1,
  state: 'queued',
  queueEnteredAtMs: 0,
  queueLeftAtMs: null,
  serviceStartedAtMs: null,
  serviceEndedAtMs: null,
  outcome: null,
  arrivalDecidedAtMs: 3_000,
  outcomeDecidedAtMs: null,
};

/** A person in the queue since `enteredAtMs`. */
export const waiting = (id: number, enteredAtMs: number): Visit => ({
  ...BLANK,
  id,
  trackId: id,
  queueEnteredAtMs: enteredAtMs,
  arrivalDecidedAtMs: enteredAtMs + 3_000,
});

/** A person in service since `startedAtMs`, after the queue. */
export const inService = (visit: Visit, startedAtMs: number): Visit => ({
  ...visit,
  state: 'in_service',
  queueLeftAtMs: startedAtMs,
  serviceStartedAtMs: startedAtMs,
});

/** A visit closed at `decidedAtMs`, a second after it ended. */
export const closed = (
  visit: Visit,
  outcome: 'completed' | 'abandoned' | 'lost',
  decidedAtMs: number,
): Visit => ({
  ...visit,
  state: 'closed',
  outcome,
  queueLeftAtMs: visit.queueLeftAtMs ?? decidedAtMs - 1_000,
  serviceEndedAtMs: visit.state === 'in_service' ? decidedAtMs - 1_000 : null,
  outcomeDecidedAtMs: decidedAtMs,
});
