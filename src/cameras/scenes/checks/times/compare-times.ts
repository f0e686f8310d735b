import { type Ranged, ratioRange } from '../ratio-range.ts';
import { matchSpans, type Span } from './match-spans.ts';
import {
  type LabelledStay,
  type LabelledVisit,
  type SceneRules,
  type TrueVisit,
  trueVisit,
} from './true-visit.ts';

/** What a checker marked of one person, or what we counted, in seconds of the film; null where nobody saw it. */
export interface Times {
  readonly person: string;
  readonly joinedAt: number | null;
  readonly servedAt: number | null;
  readonly leftAt: number | null;
}

/** The lengths of matched stays, as far as the film shows them. Seconds. */
export interface LengthErrors {
  readonly compared: number;
  readonly medianErrorSeconds: number;
  readonly p90ErrorSeconds: number;
  readonly meanOurs: number;
  readonly meanTheirs: number;
}

export interface VisitFigures {
  /** Stays that the checkers have marked, and those that we counted: the sums of all checkers. */
  readonly marked: number;
  readonly ours: number;
  readonly matched: number;
  readonly f1Percent: Ranged;
  /** Null where nothing can be compared. */
  readonly lengths: LengthErrors | null;
}

type ZonePart = 'waiting' | 'served';

/** Where the answers differ, in seconds of the film. */
export interface Difference {
  readonly kind: 'missed' | 'invented';
  readonly part: ZonePart;
  readonly from: number;
  readonly to: number;
  /** Whom the checker called so; null of somebody whom only we counted. */
  readonly person: string | null;
}

export interface Film {
  readonly seconds: number;
  readonly rules: SceneRules;
  readonly has: Readonly<Record<ZonePart, boolean>>;
}

const PARTS = ['waiting', 'served'] as const;
const SPAN = { waiting: 'queue', served: 'service' } as const;
const LENGTH = { waiting: 'waitMs', served: 'serviceMs' } as const;
/** Further ones are not told. */
const MOST_DIFFERENCES = 100;

/** The two stays of a visit. What began before the film began with it. */
export function stays({ person, joinedAt, servedAt, leftAt }: Times): LabelledVisit {
  const stay = (from: number | null, to: number | null): LabelledStay | null =>
    from === null || (to !== null && to <= Math.max(0, from)) ? null : { from: Math.max(0, from), to };
  return { person, queue: stay(joinedAt, servedAt ?? leftAt), service: stay(servedAt, leftAt) };
}

const countedOf = (visits: readonly Times[], { seconds, rules }: Film): TrueVisit[] =>
  visits.map((visit) => trueVisit(stays(visit), seconds, rules));

/** @param checkers what each of them has marked; null of a part that the scene lacks, or where there is nothing */
export function compareTimes(checkers: readonly (readonly Times[])[], ours: readonly Times[], film: Film) {
  const counted = countedOf(ours, film);
  const marked = checkers.map((visits) => countedOf(visits, film));
  const compared = (part: ZonePart) =>
    film.has[part] ? marked.map((theirs) => comparePart(part, theirs, counted)) : [];
  const [waiting, served] = [compared('waiting'), compared('served')];
  return {
    waiting: figuresOf(waiting),
    served: figuresOf(served),
    differences: [...waiting, ...served]
      .flatMap(({ differences }) => differences)
      .toSorted((a, b) => b.to - b.from - (a.to - a.from) || a.from - b.from)
      .slice(0, MOST_DIFFERENCES),
    agreement: agreementOf(marked, film),
  };
}

interface ComparedPart {
  readonly marked: number;
  readonly ours: number;
  readonly matched: number;
  readonly lengths: readonly { readonly ours: number; readonly theirs: number }[];
  readonly differences: readonly Difference[];
}

function comparePart(part: ZonePart, theirs: readonly TrueVisit[], ours: readonly TrueVisit[]): ComparedPart {
  const spansOf = (visits: readonly TrueVisit[]) =>
    visits.flatMap((visit) => {
      const span = visit[SPAN[part]];
      return span ? [{ visit, span }] : [];
    });
  const [marked, counted] = [spansOf(theirs), spansOf(ours)];
  const partners = matchSpans(
    marked.map(({ span }) => span),
    counted.map(({ span }) => span),
  );
  const taken = new Set(partners);
  const difference = (kind: Difference['kind'], [from, to]: Span, person: string | null): Difference => ({
    ...{ kind, part, person },
    ...{ from: from / 1000, to: to / 1000 },
  });
  return {
    marked: marked.length,
    ours: counted.length,
    matched: partners.filter((partner) => partner !== null).length,
    lengths: marked.flatMap(({ visit }, at) => {
      const partner = counted[partners[at] ?? -1];
      const [a, b] = [visit[LENGTH[part]], partner?.visit[LENGTH[part]] ?? null];
      return a === null || b === null ? [] : [{ theirs: a / 1000, ours: b / 1000 }];
    }),
    differences: [
      ...marked.flatMap(({ span, visit }, at) =>
        partners[at] === null ? [difference('missed', span, visit.person)] : [],
      ),
      ...counted.flatMap(({ span }, at) => (taken.has(at) ? [] : [difference('invented', span, null)])),
    ],
  };
}

const MISSED = { top: 0, bottom: 100 };
const MATCHED = { top: 200, bottom: 200 };

function figuresOf(compared: readonly ComparedPart[]): VisitFigures | null {
  const sum = (name: 'marked' | 'matched' | 'ours') =>
    compared.reduce((total, each) => total + each[name], 0);
  const [marked, ours, matched] = [sum('marked'), sum('ours'), sum('matched')];
  if (marked + ours === 0) return null;
  const wrong = marked + ours - 2 * matched;
  const parts = [...Array(matched).fill(MATCHED), ...Array(wrong).fill(MISSED)] as (typeof MISSED)[];
  const { value, from, to } = ratioRange(parts, [MISSED]);
  return {
    ...{ marked, ours, matched },
    f1Percent: { value: value * 100, from: from * 100, to: to * 100 },
    lengths: lengthErrorsOf(compared.flatMap(({ lengths }) => lengths)),
  };
}

function lengthErrorsOf(lengths: ComparedPart['lengths']): LengthErrors | null {
  if (lengths.length === 0) return null;
  const errors = lengths.map(({ ours, theirs }) => Math.abs(ours - theirs)).toSorted((a, b) => a - b);
  const at = (share: number) => errors[Math.ceil(share * errors.length) - 1]!;
  const mean = (name: 'ours' | 'theirs') =>
    lengths.reduce((total, each) => total + each[name], 0) / lengths.length;
  return {
    compared: lengths.length,
    ...{ medianErrorSeconds: at(0.5), p90ErrorSeconds: at(0.9) },
    ...{ meanOurs: mean('ours'), meanTheirs: mean('theirs') },
  };
}

/** How much the checkers agree: each pair of them is compared as they are with us. */
function agreementOf(marked: readonly (readonly TrueVisit[])[], { has }: Film) {
  const pairs = marked.flatMap((one, at) =>
    marked
      .slice(at + 1)
      .flatMap((other) => PARTS.filter((part) => has[part]).map((part) => comparePart(part, one, other))),
  );
  const figures = figuresOf(pairs);
  if (!figures) return null;
  return {
    checkers: marked.length,
    f1Percent: figures.f1Percent.value,
    medianErrorSeconds: figures.lengths?.medianErrorSeconds ?? null,
  };
}
