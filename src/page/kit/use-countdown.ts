import { useEffect, useState } from 'react';

/**
 * Seconds that are left, counted down to 0.
 * @param cause what began it: another one begins anew
 */
export function useCountdown(seconds: number | null, cause: unknown): number {
  const [endsAtMs, setEndsAtMs] = useState(0);
  const [nowMs, setNowMs] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new cause begins a new countdown
  useEffect(() => {
    if (seconds === null) return setEndsAtMs(0);
    setNowMs(performance.now());
    setEndsAtMs(performance.now() + seconds * 1000);
  }, [seconds, cause]);
  useEffect(() => {
    if (endsAtMs <= nowMs) return;
    const timer = setTimeout(() => setNowMs(performance.now()), 1000);
    return () => clearTimeout(timer);
  }, [endsAtMs, nowMs]);
  return Math.max(0, Math.ceil((endsAtMs - nowMs) / 1000));
}
