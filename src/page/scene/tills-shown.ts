import type { Resource } from '../api/client.ts';

export interface Numbers {
  readonly metrics: NonNullable<Resource<'Scene'>['latestMetrics']> | null;
  readonly updatedAt: string | null;
}

export type LiveTill = Resource<'LiveTill'>;

/** Numbers that are older say nothing about tills. */
const KNOWN_MS = 30_000;

/** The tills as they are shown: nobody knows what they do once no new numbers come. */
export function tillsShown({ metrics, updatedAt }: Numbers, isCurrent: boolean, nowMs: number): LiveTill[] {
  const tills = metrics?.tills ?? [];
  const isKnown = isCurrent && updatedAt !== null && nowMs - Date.parse(updatedAt) <= KNOWN_MS;
  return isKnown ? tills : tills.map(({ id, name }) => ({ id, name, state: 'unknown', since: updatedAt }));
}
