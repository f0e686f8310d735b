import type { QueueZones } from '../../../vision/types.ts';
import type { StillRow } from './check.store.ts';
import { type Compared, figuresOf } from './check-figures.ts';
import { type CheckResult, type StoredAnswer, storedAnswers } from './schema.ts';

/** A picture whose mean brightness, 0-255, is below this is dark. */
const DARK = 60;
const CROWD = 6;

const COUNTS = ['waiting', 'served'] as const;
export type Counted = (typeof COUNTS)[number];

const answersOn = ({ answers }: Pick<StillRow, 'answers'>): StoredAnswer[] =>
  Object.values(storedAnswers.parse(answers));
/** What people counted on a still, without those who skipped it. */
const countsOn = (still: Pick<StillRow, 'answers'>): StoredAnswer[] =>
  answersOn(still).filter(({ isSkipped }) => !isSkipped);

/** Which counts a scene with these zones has. */
export function countedIn({ queueZone, checkoutZone, tills }: QueueZones): Record<Counted, boolean> {
  return { waiting: queueZone !== undefined, served: checkoutZone !== undefined || (tills?.length ?? 0) > 0 };
}

/** Whether a checker has counted something else than we, in a zone that the scene has. */
export const isWrong = (still: StillRow, zones: QueueZones): boolean =>
  COUNTS.some(
    (name) => countedIn(zones)[name] && countsOn(still).some((answer) => answer[name] !== still[name]),
  );

/** The result of a check from its stills. */
export function resultOf(stills: readonly StillRow[], zones: QueueZones): CheckResult {
  const counted = stills.filter((still) => countsOn(still).length > 0);
  const has = countedIn(zones);
  const compared = (name: Counted): Compared[] =>
    counted.map((still) => ({
      weight: still.weight,
      ours: still[name],
      theirs: countsOn(still).map((answer) => answer[name]),
    }));
  const total = counted.reduce((sum, { weight }) => sum + weight, 0);
  const percentOf = (isSo: (still: StillRow) => boolean): number =>
    total === 0 ? 0 : (counted.filter(isSo).reduce((sum, { weight }) => sum + weight, 0) / total) * 100;
  const people = (still: StillRow) =>
    Math.max(
      ...countsOn(still).map((answer) =>
        COUNTS.reduce((sum, name) => sum + (has[name] ? answer[name] : 0), 0),
      ),
    );
  return {
    waiting: has.waiting ? figuresOf(compared('waiting')) : null,
    served: has.served ? figuresOf(compared('served')) : null,
    skipped: stills.map(answersOn).filter((all) => all.length > 0 && all.every(({ isSkipped }) => isSkipped))
      .length,
    agreement: agreementOf(counted, has),
    conditions: {
      darkPercent: percentOf(({ brightness }) => brightness < DARK),
      crowdedPercent: percentOf((still) => people(still) >= CROWD),
      emptyPercent: percentOf((still) => people(still) === 0),
    },
  };
}

function agreementOf(stills: readonly StillRow[], has: Record<Counted, boolean>): CheckResult['agreement'] {
  const several = stills.map(countsOn).filter((answers) => answers.length > 1);
  if (several.length === 0) return null;
  const apart = (answers: readonly StoredAnswer[]) =>
    Math.max(
      ...COUNTS.filter((name) => has[name]).map((name) => {
        const counts = answers.map((answer) => answer[name]);
        return Math.max(...counts) - Math.min(...counts);
      }),
    );
  const percent = (most: number) =>
    (several.filter((answers) => apart(answers) <= most).length / several.length) * 100;
  return { stills: several.length, exactPercent: percent(0), withinOnePercent: percent(1) };
}
