import { type Future, MOST_TILLS, type PlanFutures, type StaffingScene } from './plan-futures.ts';
import { CALL_SECONDS, type TillPolicy } from './till-policy.ts';

const ready = new Float64Array(MOST_TILLS);

/** Mean seconds until a change that is made now is taken back. Each future is played to its end with the same policy. */
export function howLong(
  { elapsed, leastTills }: StaffingScene,
  { futures, seconds }: PlanFutures,
  policy: TillPolicy,
  change: number,
): number {
  const begin = Math.floor(elapsed / CALL_SECONDS);
  const wantedAt = (now: number, open: number, people: number) =>
    now === 0 ? change : Math.max(policy.change(begin + now / CALL_SECONDS, open, people), leastTills - open);
  const lasts = futures.map((future) => playUntilBack(future, change, seconds, wantedAt));
  return lasts.reduce((sum, one) => sum + one, 0) / Math.max(1, lasts.length);
}

function playUntilBack(
  { joined, service, until, ready: first }: Future,
  change: number,
  seconds: number,
  wantedAt: (now: number, open: number, people: number) => number,
): number {
  let open = first.length;
  ready.set(first);
  let head = 0;
  for (let now = 0; now < seconds; now += CALL_SECONDS) {
    let people = 0;
    for (let person = head; joined[person]! <= now; person++) if (until[person]! > now) people += 1;
    for (let till = 0; till < open; till++) if (ready[till]! > now) people += 1;
    const wanted = wantedAt(now, open, people);
    if (wanted * change < 0) return now;
    for (let more = 0; more < wanted && open < MOST_TILLS; more++) ready[open++] = now + CALL_SECONDS;
    for (let fewer = wanted; fewer < 0 && open > 1; fewer++) ready[earliest(open)] = ready[--open]!;
    const end = now + CALL_SECONDS;
    while (joined[head]! < end) {
      const till = earliest(open);
      const begin = Math.max(ready[till]!, joined[head]!, 0);
      if (until[head]! >= Math.min(begin, end)) {
        if (begin >= end) break;
        ready[till] = begin + service[head]!;
      }
      head += 1;
    }
  }
  return seconds;
}

function earliest(open: number): number {
  let till = 0;
  for (let other = 1; other < open; other++) if (ready[other]! < ready[till]!) till = other;
  return till;
}
