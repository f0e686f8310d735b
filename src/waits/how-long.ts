import { type Future, MOST_TILLS, type PlanFutures, type StaffingScene } from './plan-futures.ts';
import { CALL_SECONDS, type TillPolicy } from './till-policy.ts';

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
  { people, ready: first }: Future,
  change: number,
  seconds: number,
  wantedAt: (now: number, open: number, people: number) => number,
): number {
  const ready = [...first];
  let head = 0;
  for (let now = 0; now < seconds; now += CALL_SECONDS) {
    let count = 0;
    for (let at = head, one = people[at]; one && one.joined <= now; one = people[++at])
      if (one.until > now) count += 1;
    for (const at of ready) if (at > now) count += 1;
    const wanted = wantedAt(now, ready.length, count);
    if (wanted * change < 0) return now;
    for (let more = 0; more < wanted && ready.length < MOST_TILLS; more++) ready.push(now + CALL_SECONDS);
    for (let fewer = wanted; fewer < 0 && ready.length > 1; fewer++) ready.splice(earliest(ready), 1);
    const end = now + CALL_SECONDS;
    for (let one = people[head]; one && one.joined < end; one = people[++head]) {
      const begin = Math.max(Math.min(...ready), one.joined, 0);
      if (one.until < Math.min(begin, end)) continue;
      if (begin >= end) break;
      ready[earliest(ready)] = begin + one.service;
    }
  }
  return seconds;
}

const earliest = (ready: readonly number[]): number => ready.indexOf(Math.min(...ready));
