import type { Visit } from '../../vision/types.ts';
import type { LineVisit } from '../../waits/line-moments.ts';

const seconds = (ms: number | null): number | null => (ms === null ? null : ms / 1000);

/** All that nobody sees behind the line: one till that takes the next one every so often. */
const UNSEEN = 'unseen';

/** A visit as the predictor of waits knows it. Where nobody sees the service, who leaves the line is served at once. */
export function lineVisitOf(visit: Visit): LineVisit & { readonly lostAt: number | null } {
  const { id, outcome, state, services } = visit;
  const isGone = outcome === 'lost' || state === 'discarded';
  const servedUnseenMs =
    outcome === 'completed' && visit.serviceStartedAtMs === null ? visit.queueLeftAtMs : null;
  return {
    person: `${id}`,
    joinedAt: seconds(visit.queueEnteredAtMs),
    leftAt: seconds(visit.queueLeftAtMs),
    startedAt: seconds(visit.serviceStartedAtMs ?? servedUnseenMs),
    endedAt: isGone ? null : seconds(visit.serviceEndedAtMs ?? servedUnseenMs),
    till: servedUnseenMs === null ? (services?.at(-1)?.tillId ?? null) : UNSEEN,
    lostAt: isGone ? seconds(visit.outcomeDecidedAtMs) : null,
  };
}
