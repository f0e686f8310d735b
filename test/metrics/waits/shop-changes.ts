import type { Visit } from '../../../src/vision/types.ts';
import type { LineVisit } from '../../../src/waits/line-moments.ts';

const ENTRY_MS = 3_000;
const EXIT_MS = 1_000;
const GIVEN_UP_MS = 6_000;

/** What the frames of a camera make of a log: changes of visits, each some seconds after it happened, in the order of frames. */
export function changesOf(
  log: readonly LineVisit[],
  { hasCheckout = true }: { readonly hasCheckout?: boolean } = {},
): { readonly timeMs: number; readonly visit: Visit }[] {
  const changes: { timeMs: number; visit: Visit }[] = [];
  for (const [at, { joinedAt, leftAt, startedAt, endedAt, till }] of log.entries()) {
    const [joinedMs, leftMs] = [joinedAt! * 1000, (startedAt ?? leftAt!) * 1000];
    const joined: Visit = {
      ...{ id: at + 1, trackId: at + 1, state: 'queued', queueEnteredAtMs: joinedMs, queueLeftAtMs: null },
      ...{ serviceStartedAtMs: null, serviceEndedAtMs: null, outcome: null, outcomeDecidedAtMs: null },
      arrivalDecidedAtMs: joinedMs + ENTRY_MS,
    };
    const add = (timeMs: number, visit: Visit): Visit => {
      const decided = {
        ...visit,
        ...(visit.outcome && { outcomeDecidedAtMs: timeMs, state: 'closed' as const }),
      };
      // Nothing of a visit is known before its entry.
      changes.push({ timeMs: Math.max(timeMs, joinedMs + ENTRY_MS), visit: decided });
      return decided;
    };
    add(joinedMs + ENTRY_MS, joined);
    const left: Visit = { ...joined, queueLeftAtMs: leftMs };
    if (!hasCheckout) {
      add(leftMs + EXIT_MS, { ...left, outcome: 'completed' });
      continue;
    }
    add(leftMs + EXIT_MS, left);
    if (startedAt === null) {
      add(leftMs + GIVEN_UP_MS, { ...left, outcome: 'abandoned' });
      continue;
    }
    const services = till === null ? undefined : [{ tillId: till, startedAtMs: leftMs, endedAtMs: null }];
    const served = add(leftMs + ENTRY_MS, {
      ...{ ...left, state: 'in_service', serviceStartedAtMs: leftMs },
      ...(services && { services }),
    });
    add(endedAt! * 1000 + EXIT_MS, { ...served, serviceEndedAtMs: endedAt! * 1000, outcome: 'completed' });
  }
  return changes.sort((a, b) => a.timeMs - b.timeMs);
}
