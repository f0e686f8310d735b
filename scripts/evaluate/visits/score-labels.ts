import type { Replay, ReplayedVisit } from '../../replay/replay-record.ts';
import { temporalIou } from '../matching/assign.ts';
import { matchSpans } from '../matching/match-spans.ts';
import type { Span } from './dwell.ts';
import type { Label, LabelledStay } from './label-file.ts';
import { figuresOf, judgeZone, type VisitCounts, type VisitFigures } from './score-zone.ts';

/** A video as it was replayed. */
export interface Seen extends Pick<Replay, 'seconds' | 'visits'> {
  /** Of the analysed frames. */
  readonly timesMs: readonly number[];
}

/** What the judge needs of a scene. Seconds. */
export interface SceneRules {
  readonly hasCheckout: boolean;
  readonly entry: number;
  /** A visit is decided so long after its end at most: exit threshold and maximum age. */
  readonly handOver: number;
}

type Part = 'queue' | 'checkout';

/** Times in seconds of the video. */
interface Case {
  readonly zone: Part;
  readonly from: number;
  readonly to: number;
}

interface Missed extends Case {
  readonly person: string;
  /** The highest temporal IoU with any of our visits of that zone: 0 where nobody was counted. */
  readonly bestIou: number;
}

interface Invented extends Case {
  readonly trackId: number;
  readonly outcome: string;
}

interface WrongOutcome extends Case {
  readonly person: string;
  readonly trackId: number;
  readonly expected: Outcome;
  readonly reported: string;
}

type Outcome = 'completed' | 'abandoned';

/** Seconds; null where there is nothing to compare. */
interface Durations {
  readonly trueMeanSeconds: number | null;
  readonly ourMeanSeconds: number | null;
  /** Mean |ours − true| of the matched visits. */
  readonly errorSeconds: number | null;
}

export interface LabelVerdict {
  readonly queueCounts: VisitCounts;
  readonly queue: VisitFigures;
  readonly service: VisitFigures;
  readonly wait: Durations;
  readonly serviceTime: Durations;
  /** Of matched visits that end early enough before the end of the video. */
  readonly outcomes: { readonly compared: number; readonly right: number };
  /** Labelled stays shorter than the entry threshold. */
  readonly leftOut: number;
  /** Each list begins with the longest. */
  readonly missed: readonly Missed[];
  readonly invented: readonly Invented[];
  readonly wrongOutcomes: readonly WrongOutcome[];
}

/** A label as the thresholds of the scene have it. Milliseconds; null where there is none, or no known end. */
interface TrueVisit {
  readonly person: string;
  readonly queue: Span | null;
  readonly service: Span | null;
  readonly outcome: Outcome | null;
  readonly waitMs: number | null;
  readonly serviceMs: number | null;
}

interface Matched {
  readonly truth: TrueVisit;
  readonly visit: ReplayedVisit;
}

/** Holds the visits of a replayed video against labels. */
export function judgeLabels(labels: readonly Label[], seen: Seen, rules: SceneRules): LabelVerdict {
  const truth = labels.map((label) => trueVisit(label, seen.seconds, rules));
  const [queue, service] = [judgePart('queue', truth, seen), judgePart('checkout', truth, seen)];
  const asked = [...queue.pairs, ...service.pairs.filter(({ truth }) => truth.queue === null)];
  const compared = asked.filter((pair) => pair.truth.outcome !== null);
  const wrong = compared.filter(({ truth, visit }) => truth.outcome !== visit.outcome);
  const labelled = labels.flatMap((label) => [label.queue, label.service]).filter((stay) => stay !== null);
  const counted = truth.flatMap((visit) => [visit.queue, visit.service]).filter((span) => span !== null);
  return {
    queueCounts: queue.counts,
    queue: figuresOf(queue.counts),
    service: figuresOf(service.counts),
    wait: durations(queue.pairs, {
      truth: truth.map(({ waitMs }) => waitMs),
      ours: seen.visits.map(({ waitSeconds }) => waitSeconds),
      of: ({ truth, visit }) => [truth.waitMs, visit.waitSeconds],
    }),
    serviceTime: durations(service.pairs, {
      truth: truth.map(({ serviceMs }) => serviceMs),
      ours: seen.visits.map(({ serviceSeconds }) => serviceSeconds),
      of: ({ truth, visit }) => [truth.serviceMs, visit.serviceSeconds],
    }),
    outcomes: { compared: compared.length, right: compared.length - wrong.length },
    leftOut: labelled.length - counted.length,
    missed: longestFirst([...queue.missed, ...service.missed]),
    invented: longestFirst([...queue.invented, ...service.invented]),
    wrongOutcomes: longestFirst(wrong.map(wrongOutcome)),
  };
}

function trueVisit(
  { person, queue, service }: Label,
  seconds: number,
  { hasCheckout, entry, handOver }: SceneRules,
): TrueVisit {
  const counted = (stay: LabelledStay | null): Span | null => {
    const to = Math.min(stay?.to ?? seconds, seconds);
    return stay && to - stay.from >= entry ? [stay.from * 1000, to * 1000] : null;
  };
  const [queued, served] = [counted(queue), counted(service)];
  // Who ends later may be lost to us, for the video does not show how it went on.
  const isDecided = (stay: LabelledStay | null) => (stay?.to ?? seconds) <= seconds - handOver;
  const isEndKnown = isDecided(served ? service : queue) && (queued ?? served) !== null;
  const waitedUntil = served?.[0] ?? (isDecided(queue) ? queued?.[1] : undefined);
  return {
    person,
    queue: queued,
    service: served,
    outcome: isEndKnown ? (served || !hasCheckout ? 'completed' : 'abandoned') : null,
    waitMs: queued && waitedUntil !== undefined ? waitedUntil - queued[0] : null,
    serviceMs: served && isDecided(service) ? served[1] - served[0] : null,
  };
}

/** Queue stays, or services: matched one to one. */
function judgePart(zone: Part, visits: readonly TrueVisit[], { visits: replayed, seconds, timesMs }: Seen) {
  const truth = visits.flatMap((visit) => {
    const span = zone === 'queue' ? visit.queue : visit.service;
    return span ? [{ visit, span }] : [];
  });
  const ours = replayed.flatMap((visit) => {
    const [from, to] =
      zone === 'queue'
        ? [visit.queueEnteredAt, visit.queueLeftAt]
        : [visit.serviceStartedAt, visit.serviceEndedAt];
    return from === null ? [] : [{ visit, span: [from * 1000, (to ?? seconds) * 1000] as const }];
  });
  const [trueSpans, ourSpans] = [truth.map(({ span }) => span), ours.map(({ span }) => span)];
  const partners = matchSpans(trueSpans, ourSpans);
  const taken = new Set(partners);
  const bestIou = (span: Span) => Math.max(0, ...ourSpans.map((other) => temporalIou(span, other)));
  return {
    counts: judgeZone(trueSpans, ourSpans, timesMs),
    pairs: truth.flatMap(({ visit }, row): Matched[] => {
      const partner = partners[row] ?? null;
      return partner === null ? [] : [{ truth: visit, visit: ours[partner]!.visit }];
    }),
    missed: truth
      .filter((_, row) => partners[row] === null)
      .map(
        ({ visit: { person }, span }): Missed => ({
          ...caseOf(zone, span),
          person,
          bestIou: rounded(bestIou(span), 2),
        }),
      ),
    invented: ours
      .filter((_, column) => !taken.has(column))
      .map(
        ({ visit: { trackId, outcome }, span }): Invented => ({ ...caseOf(zone, span), trackId, outcome }),
      ),
  };
}

function durations(
  pairs: readonly Matched[],
  {
    truth,
    ours,
    of,
  }: {
    /** Milliseconds. */
    truth: readonly (number | null)[];
    /** Seconds. */
    ours: readonly (number | null)[];
    of: (pair: Matched) => readonly [truthMs: number | null, ourSeconds: number | null];
  },
): Durations {
  const errors = pairs.map((pair) => {
    const [trueMs, ourSeconds] = of(pair);
    return trueMs === null || ourSeconds === null ? null : Math.abs(ourSeconds - trueMs / 1000);
  });
  return {
    trueMeanSeconds: mean(truth.map((value) => (value === null ? null : value / 1000))),
    ourMeanSeconds: mean(ours),
    errorSeconds: mean(errors),
  };
}

function mean(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : rounded(known.reduce((sum, value) => sum + value, 0) / known.length, 2);
}

function wrongOutcome({ truth, visit }: Matched): WrongOutcome {
  return {
    ...caseOf(truth.queue ? 'queue' : 'checkout', [
      (truth.queue ?? truth.service)![0],
      (truth.service ?? truth.queue)![1],
    ]),
    person: truth.person,
    trackId: visit.trackId,
    expected: truth.outcome!,
    reported: visit.outcome,
  };
}

const rounded = (value: number, digits: number): number => Number(value.toFixed(digits));

const caseOf = (zone: Part, [fromMs, toMs]: Span): Case => ({
  zone,
  from: rounded(fromMs / 1000, 3),
  to: rounded(toMs / 1000, 3),
});

const longestFirst = <T extends Case>(cases: readonly T[]): T[] =>
  cases.toSorted((a, b) => b.to - b.from - (a.to - a.from) || a.from - b.from);
