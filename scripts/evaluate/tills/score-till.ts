import type { Span } from '../../../src/cameras/scenes/checks/times/match-spans.ts';
import { addUp, meanOfKnown, ratio, sum } from '../../support/numbers.ts';
import { addVisits, figuresOf, type VisitCounts } from '../visits/score-zone.ts';
import type { LabelledCount } from './counts-file.ts';
import { addStates, stateFigures, type TillScore } from './score-states.ts';

/** The number of people in each zone at one time; milliseconds of the film. */
export interface CountAt {
  readonly timeMs: number;
  readonly inQueue: number;
  readonly inService: number;
}

interface PeopleError {
  readonly truePeople: number;
  readonly ourPeople: number;
  /** Sum of |ours − true|. */
  readonly peopleError: number;
}

/** What a film adds to the figures of all films. */
export interface TillCounts {
  readonly queue: VisitCounts;
  readonly service: VisitCounts;
  readonly people: PeopleError;
  readonly looks: { readonly compared: number; readonly withinOne: number };
  /** |ours − true| of the matched stays, seconds. */
  readonly waitErrors: readonly number[];
  readonly serviceErrors: readonly number[];
  /** States and services by till, as far as they are labelled. */
  readonly tills: TillScore;
}

/** The figures of one film, or of several together. Null where there is nothing to compare. */
export type TillFigures = ReturnType<typeof tillFigures>;

export function tillFigures({ queue, service, people, looks, waitErrors, serviceErrors, tills }: TillCounts) {
  const { truePeople, ourPeople, peopleError } = people;
  return {
    trueQueue: queue.truthVisits,
    ourQueue: queue.ourVisits,
    queueF1: figuresOf(queue).f1,
    trueServices: service.truthVisits,
    ourServices: service.ourVisits,
    serviceF1: figuresOf(service).f1,
    occupancyErrorPercent: ratio(100 * peopleError, truePeople, 2),
    biasPercent: ratio(100 * (ourPeople - truePeople), truePeople, 2),
    withinOnePercent: ratio(100 * looks.withinOne, looks.compared, 2),
    waitErrorSeconds: meanOfKnown(waitErrors, 2),
    serviceErrorSeconds: meanOfKnown(serviceErrors, 2),
    tills: tills.seconds + tills.services > 0 ? stateFigures(tills) : null,
  };
}

export const addTills = (parts: readonly TillCounts[]): TillCounts => ({
  queue: addVisits(parts.map(({ queue }) => queue)),
  service: addVisits(parts.map(({ service }) => service)),
  people: addUp(
    ['truePeople', 'ourPeople', 'peopleError'],
    parts.map(({ people }) => people),
  ),
  looks: addUp(
    ['compared', 'withinOne'],
    parts.map(({ looks }) => looks),
  ),
  waitErrors: parts.flatMap(({ waitErrors }) => waitErrors),
  serviceErrors: parts.flatMap(({ serviceErrors }) => serviceErrors),
  tills: addStates(parts.map(({ tills }) => tills)),
});

/** Stays in both zones, milliseconds. */
export interface Stays {
  readonly queue: readonly Span[];
  readonly service: readonly Span[];
}

const presentAt = (spans: readonly Span[], timeMs: number): number =>
  spans.filter(([from, to]) => from <= timeMs && timeMs <= to).length;

/** The people of labelled stays at each whole second of a film, for films without counts. */
export const countsOfStays = ({ queue, service }: Stays, seconds: number): LabelledCount[] =>
  Array.from({ length: Math.floor(seconds) + 1 }, (_, second) => ({
    second,
    inQueue: presentAt(queue, second * 1000),
    inService: presentAt(service, second * 1000),
  }));

/** Compares back-dated stays with counted people, in both zones together. */
export function comparePeople(truth: readonly LabelledCount[], ours: Stays): PeopleError {
  const errorOf = (expected: number | null, spans: readonly Span[], second: number): PeopleError => {
    if (expected === null) return { truePeople: 0, ourPeople: 0, peopleError: 0 };
    const found = presentAt(spans, second * 1000);
    return { truePeople: expected, ourPeople: found, peopleError: Math.abs(found - expected) };
  };
  return addUp(
    ['truePeople', 'ourPeople', 'peopleError'],
    truth.flatMap(({ second, inQueue, inService }) => [
      errorOf(inQueue, ours.queue, second),
      errorOf(inService, ours.service, second),
    ]),
  );
}

/**
 * Compares live counts with counted people: what a client saw at that second, not what was back-dated later.
 * @param live after each analysed frame, in the order of time
 * @param entry seconds before which no stay can be confirmed; earlier looks are left out
 */
export function compareLooks(
  truth: readonly LabelledCount[],
  live: readonly CountAt[],
  entry: number,
): TillCounts['looks'] {
  const isWithinOne = ({ second, inQueue, inService }: LabelledCount): boolean => {
    const seen = live.findLast(({ timeMs }) => timeMs <= second * 1000);
    const isNear = (expected: number | null, found = 0) =>
      expected === null || Math.abs(found - expected) <= 1;
    return isNear(inQueue, seen?.inQueue) && isNear(inService, seen?.inService);
  };
  const compared = truth.filter(({ second }) => second >= entry);
  return { compared: compared.length, withinOne: sum(compared.map((look) => (isWithinOne(look) ? 1 : 0))) };
}
