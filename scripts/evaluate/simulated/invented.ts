import type { Box } from '../../../src/vision/types.ts';
import { shownBodies, type TrueBody } from '../footage/limits.ts';
import type { ReplayedVisit, ShopScore } from '../shop/score-shop.ts';
import { expectedVisits, type ShopTruth } from '../shop/truth.ts';

/** A box shows a simulated person whom it overlaps by so much: some boxes hold the upper body alone. */
export const LEAST_SHOWN = 0.3;

/** Why a visit was invented. */
export const REASONS = ['broken', 'twice', 'elsewhere', 'nobody'] as const;
export type Reason = (typeof REASONS)[number];

export const REASON_MEANINGS: Readonly<Record<Reason, string>> = {
  broken: 'a part of a true visit, whose other parts are other visits or not seen',
  twice: 'somebody who is in another visit at the same time',
  elsewhere: 'somebody who is in no zone then, or not for long enough',
  nobody: 'boxes that show no person, or one after the other different people',
};

/** Whom each track showed, counted by frames; 0 is nobody. */
export class ShownPeople {
  readonly #counts = new Map<number, Map<number, number>>();

  note(tracks: readonly { readonly id: number; readonly box: Box }[], bodies: readonly TrueBody[]): void {
    for (const { id, box } of tracks) {
      // One by one, so that a second box of a person counts too.
      const [body] = shownBodies([{ box, score: 1, classId: 0 }], bodies, LEAST_SHOWN);
      const counts = this.#counts.get(id) ?? new Map<number, number>();
      this.#counts.set(id, counts);
      counts.set(body?.id ?? 0, (counts.get(body?.id ?? 0) ?? 0) + 1);
    }
  }

  /** Who was shown in at least half of the frames; null where that is nobody. */
  personOf(trackId: number): number | null {
    const counts = [...(this.#counts.get(trackId) ?? [])];
    const frames = counts.reduce((sum, [, count]) => sum + count, 0);
    const most = counts.toSorted(([, a], [, b]) => b - a)[0];
    return most && most[0] !== 0 && most[1] >= frames / 2 ? most[0] : null;
  }
}

const spanOf = (visit: ReplayedVisit): readonly [number, number] => [
  visit.queueEnteredAt ?? visit.serviceStartedAt ?? 0,
  visit.serviceEndedAt ?? visit.queueLeftAt ?? Number.POSITIVE_INFINITY,
];

/** How many invented visits have which reason. The last track of a visit tells whose it is. */
export function reasonsOf(
  { invented }: ShopScore,
  truth: ShopTruth,
  visits: readonly ReplayedVisit[],
  shown: ShownPeople,
): Record<Reason, number> {
  const expected = expectedVisits(truth);
  const reasons: Record<Reason, number> = { broken: 0, twice: 0, elsewhere: 0, nobody: 0 };
  for (const visit of invented) {
    const person = shown.personOf(visit.trackId);
    const [from, to] = spanOf(visit);
    const overlaps = (start: number, end: number) => Math.min(end, to) > Math.max(start, from);
    const isReal = expected.some(({ personId, start, end }) => personId === person && overlaps(start, end));
    const isTwice = visits.some(
      (other) => other !== visit && shown.personOf(other.trackId) === person && overlaps(...spanOf(other)),
    );
    reasons[person === null ? 'nobody' : !isReal ? 'elsewhere' : isTwice ? 'twice' : 'broken']++;
  }
  return reasons;
}
