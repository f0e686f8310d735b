import { matchSpans, type Span, temporalIou } from '../../../src/cameras/scenes/checks/times/match-spans.ts';
import {
  type SceneRules,
  type TrueVisit,
  trueVisit,
} from '../../../src/cameras/scenes/checks/times/true-visit.ts';
import type { Replay, ReplayedVisit } from '../../replay/replay-record.ts';
import { meanOfKnown, rounded } from '../../support/numbers.ts';
import type { Label } from './label-file.ts';
import { figuresOf, scoreZone } from './score-zone.ts';

/** A video as it was replayed. */
export interface ReplayedVideo extends Pick<Replay, 'seconds' | 'visits'> {
  /** Of the analysed frames. */
  readonly timesMs: readonly number[];
}

type Part = 'queue' | 'checkout';

/** Times in seconds of the video. */
export interface Case {
  readonly zone: Part;
  readonly from: number;
  readonly to: number;
}

interface Matched {
  readonly truth: TrueVisit;
  readonly visit: ReplayedVisit;
}

export type LabelScore = ReturnType<typeof scoreLabels>;

/** Compares the visits of a replayed video with labels. */
export function scoreLabels(labels: readonly Label[], replayed: ReplayedVideo, rules: SceneRules) {
  const truth = labels.map((label) => trueVisit(label, replayed.seconds, rules));
  const [queue, service] = [scorePart('queue', truth, replayed), scorePart('checkout', truth, replayed)];
  const compared = [...queue.pairs, ...service.pairs.filter(({ truth }) => truth.queue === null)].filter(
    ({ truth }) => truth.outcome !== null,
  );
  const wrong = compared.filter(({ truth, visit }) => truth.outcome !== visit.outcome);
  const labelled = labels.flatMap((label) => [label.queue, label.service]).filter((stay) => stay !== null);
  const counted = truth.flatMap((visit) => [visit.queue, visit.service]).filter((span) => span !== null);
  return {
    counts: { queue: queue.counts, service: service.counts },
    lengthErrors: { queue: queue.lengthErrors, service: service.lengthErrors },
    queue: figuresOf(queue.counts),
    service: figuresOf(service.counts),
    wait: durations(truth, replayed.visits, {
      pairs: queue.pairs,
      trueMs: ({ waitMs }) => waitMs,
      ourSeconds: ({ waitSeconds }) => waitSeconds,
    }),
    serviceTime: durations(truth, replayed.visits, {
      pairs: service.pairs,
      trueMs: ({ serviceMs }) => serviceMs,
      ourSeconds: ({ serviceSeconds }) => serviceSeconds,
    }),
    /** Of matched visits that end early enough before the end of the video. */
    outcomes: { compared: compared.length, right: compared.length - wrong.length },
    /** Labelled stays shorter than the entry threshold. */
    leftOut: labelled.length - counted.length,
    // Each list begins with the longest visit.
    missed: longestFirst([...queue.missed, ...service.missed]),
    invented: longestFirst([...queue.invented, ...service.invented]),
    wrongOutcomes: longestFirst(wrong.map(wrongOutcome)),
  };
}

/** Matches the queue stays, or the services, one to one. */
function scorePart(
  zone: Part,
  visits: readonly TrueVisit[],
  { visits: reported, seconds, timesMs }: ReplayedVideo,
) {
  const truth = visits.flatMap((visit) => {
    const span = zone === 'queue' ? visit.queue : visit.service;
    return span ? [{ visit, span }] : [];
  });
  const ours = reported.flatMap((visit) => {
    const [from, to] =
      zone === 'queue'
        ? [visit.queueEnteredAt, visit.queueLeftAt]
        : [visit.serviceStartedAt, visit.serviceEndedAt];
    return from === null ? [] : [{ visit, span: [from * 1000, (to ?? seconds) * 1000] as const }];
  });
  const [trueSpans, ourSpans] = [truth.map(({ span }) => span), ours.map(({ span }) => span)];
  const partners = matchSpans(trueSpans, ourSpans);
  const taken = new Set(partners);
  /** The highest temporal IoU with any of our visits: 0 where nobody was counted. */
  const bestIou = (span: Span) => Math.max(0, ...ourSpans.map((other) => temporalIou(span, other)));
  return {
    counts: scoreZone(trueSpans, ourSpans, timesMs),
    /** |ours − true| of the matched stays in seconds, as far as the video shows them: also of those that are open at its ends. */
    lengthErrors: trueSpans.flatMap((span, row) => {
      const partner = ourSpans[partners[row] ?? -1];
      return partner ? [Math.abs(lengthOf(partner) - lengthOf(span)) / 1000] : [];
    }),
    pairs: truth.flatMap(({ visit }, row): Matched[] => {
      const partner = partners[row] ?? null;
      return partner === null ? [] : [{ truth: visit, visit: ours[partner]!.visit }];
    }),
    missed: truth
      .filter((_, row) => partners[row] === null)
      .map(({ visit: { person }, span }) => ({
        ...caseOf(zone, span),
        person,
        bestIou: rounded(bestIou(span), 2),
      })),
    invented: ours
      .filter((_, column) => !taken.has(column))
      .map(({ visit: { trackId, outcome }, span }) => ({ ...caseOf(zone, span), trackId, outcome })),
  };
}

const lengthOf = ([from, to]: Span): number => to - from;

/** Mean durations in seconds, and the mean |ours − true| of the matched visits; null where there is nothing to compare. */
function durations(
  truth: readonly TrueVisit[],
  visits: readonly ReplayedVisit[],
  {
    pairs,
    trueMs,
    ourSeconds,
  }: {
    readonly pairs: readonly Matched[];
    readonly trueMs: (truth: TrueVisit) => number | null;
    readonly ourSeconds: (visit: ReplayedVisit) => number | null;
  },
) {
  const trueSeconds = (one: TrueVisit) => {
    const ms = trueMs(one);
    return ms === null ? null : ms / 1000;
  };
  const errors = pairs.map((pair) => {
    const [expected, found] = [trueSeconds(pair.truth), ourSeconds(pair.visit)];
    return expected === null || found === null ? null : Math.abs(found - expected);
  });
  return {
    trueMeanSeconds: meanOfKnown(truth.map(trueSeconds), 2),
    ourMeanSeconds: meanOfKnown(visits.map(ourSeconds), 2),
    errorSeconds: meanOfKnown(errors, 2),
  };
}

const wrongOutcome = ({ truth, visit }: Matched) => ({
  ...caseOf(truth.queue ? 'queue' : 'checkout', [
    (truth.queue ?? truth.service)![0],
    (truth.service ?? truth.queue)![1],
  ]),
  person: truth.person,
  trackId: visit.trackId,
  expected: truth.outcome!,
  reported: visit.outcome,
});

const caseOf = (zone: Part, [fromMs, toMs]: Span): Case => ({
  zone,
  from: rounded(fromMs / 1000, 3),
  to: rounded(toMs / 1000, 3),
});

const longestFirst = <T extends Case>(cases: readonly T[]): T[] =>
  cases.toSorted((a, b) => b.to - b.from - (a.to - a.from) || a.from - b.from);
