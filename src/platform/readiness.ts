import { setTimeout as pause } from 'node:timers/promises';

/** A part that does not answer for so long is not ready. */
const DEADLINE_MS = 2_000;

/**
 * The parts that a program needs, by their names. A check returns why its part is not ready, in a few words; anything else
 * means that it is ready. One that rejects, or takes longer than two seconds, does not answer.
 */
export type ReadinessChecks = Readonly<Record<string, () => unknown>>;

/** The body of `/readyz`, which everybody may read: it says nothing of addresses and errors. */
export interface Readiness {
  readonly status: 'ready' | 'not ready';
  /** `ready`, or why not. */
  readonly parts: Readonly<Record<string, string>>;
}

/** Asks all parts at the same time. */
export async function readiness(checks: ReadinessChecks): Promise<Readiness> {
  const ask = async (check: () => unknown) => {
    const late = pause(DEADLINE_MS, 'does not answer', { ref: false });
    const said = await Promise.race([Promise.resolve().then(check), late]).catch(() => 'does not answer');
    return typeof said === 'string' ? said : 'ready';
  };
  const parts = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => [name, await ask(check)] as const),
  );
  const status = parts.every(([, said]) => said === 'ready') ? 'ready' : 'not ready';
  return { status, parts: Object.fromEntries(parts) };
}
