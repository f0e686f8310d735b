import type { Resource } from '../api/client.ts';

export interface Numbers {
  readonly metrics: NonNullable<Resource<'Scene'>['latestMetrics']> | null;
  readonly updatedAt: string | null;
}

export type LiveTill = Resource<'LiveTill'>;

/** Numbers that are older say nothing about tills. */
const KNOWN_MS = 30_000;

/** The words with which all names begin: "Till " of "Till 1" and "Till 2". */
export function sharedStart([first = '', ...others]: readonly string[]): string {
  const words = first.split(' ').slice(0, -1);
  while (words.length > 0 && !others.every((name) => name.startsWith(`${words.join(' ')} `))) words.pop();
  return words.length === 0 || others.length === 0 ? '' : `${words.join(' ')} `;
}

/** The tills as they are shown: nobody knows what they do once no new numbers come. */
export function tillsShown({ metrics, updatedAt }: Numbers, isCurrent: boolean, nowMs: number): LiveTill[] {
  const tills = metrics?.tills ?? [];
  const isKnown = isCurrent && updatedAt !== null && nowMs - Date.parse(updatedAt) <= KNOWN_MS;
  return isKnown ? tills : tills.map(({ id, name }) => ({ id, name, state: 'unknown', since: updatedAt }));
}
