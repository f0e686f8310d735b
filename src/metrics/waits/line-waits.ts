import type { TillNow } from '../../vision/tills/till-watch.ts';
import type { Visit } from '../../vision/types.ts';
import { inOrder, type LineVisit, type MomentKind, momentsOf, tell } from '../../waits/line-moments.ts';
import type { LocalTime } from '../../waits/service-times.ts';
import { type UnknownWait, unknownWait, type Wait, WaitPredictor } from '../../waits/wait-predictor.ts';
import { lineVisitOf } from './line-visit-of.ts';

/** After a longer time without frames nobody knows who stands in the line. */
const LONGEST_GAP_MS = 60_000;
/** Then so much time with frames shows who does. */
const SETTLE_MS = 10_000;
/** The frame that confirms an entry or an exit comes a little after the time that confirms it. */
const MARGIN_MS = 1_000;
/** After everything else of a moment. */
const LAST = 9;

/** What somebody was told who joined the line: seconds from then on until service begins. */
export interface Said {
  /** Number of the visit within its run. */
  readonly number: number;
  readonly ahead: number;
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

/** A visit of the last weeks. */
export interface LearnedVisit extends LineVisit {
  /** Number of a visit of this run that is open; null of all others. */
  readonly number: number | null;
  readonly said: Wait | null;
}

/** What the predictor of a scene learns from before its first frame. */
export interface StoredLine {
  /** Visits of another scene of the site, where this scene has too few. */
  readonly ofSite: readonly LearnedVisit[];
  readonly visits: readonly LearnedVisit[];
  readonly local: LocalTime;
  /** Time of the last frame of this run; null before the first. */
  readonly lastFrameMs: number | null;
}

interface Moment {
  readonly at: number;
  readonly rank: number;
  /** Null of a till. */
  readonly visitId: number | null;
  readonly happen: () => void;
}

interface Told {
  readonly kinds: Set<MomentKind>;
  till: string | null;
}

export interface SeenLine {
  readonly timeMs: number;
  readonly changes: readonly Visit[];
  readonly tills?: readonly TillNow[] | undefined;
}

/**
 * Tells the predictor of one line what happens there, and keeps what it says. Entries and exits are confirmed some seconds later and
 * back-dated; so the predictor runs these seconds behind the frames, and hears of everything in its true order.
 */
export class LineWaits {
  readonly #predictor: WaitPredictor;
  readonly #lagMs: number;
  readonly #told = new Map<number, Told>();
  readonly #tillStates = new Map<string, TillNow['state']>();
  #pending: Moment[] = [];
  #said: Said[] = [];
  #lastMs: number | null;
  /** From then on it is known who stands in the line; null while it is. */
  #settledMs: number | null = null;
  #shown: { readonly second: number; readonly wait: Wait | UnknownWait } | null = null;

  constructor(
    { ofSite, visits, local, lastFrameMs }: StoredLine,
    thresholds: { readonly entryThresholdSeconds: number; readonly exitThresholdSeconds: number },
  ) {
    const { entryThresholdSeconds, exitThresholdSeconds } = thresholds;
    this.#lagMs = Math.max(entryThresholdSeconds, exitThresholdSeconds) * 1000 + MARGIN_MS;
    this.#predictor = new WaitPredictor(local);
    this.#lastMs = lastFrameMs;
    this.#learn(ofSite);
    this.#predictor.moveAway();
    this.#learn(visits);
  }

  observe({ timeMs, changes, tills = [] }: SeenLine): void {
    if (this.#lastMs === null || timeMs - this.#lastMs > LONGEST_GAP_MS) this.#forgetLine(timeMs);
    this.#lastMs = timeMs;
    for (const visit of changes) this.#note(visit, timeMs);
    for (const till of tills) this.#noteTill(till, timeMs);
    const until = (timeMs - this.#lagMs) / 1000;
    for (let [next] = this.#pending; next && next.at <= until; [next] = this.#pending) {
      this.#pending.shift();
      next.happen();
    }
    if (this.#settledMs === null || timeMs < this.#settledMs) return;
    this.#settledMs = null;
    this.#predictor.covered(until);
  }

  /** The wait of somebody who joins now; at most one prediction in a second of frame time. */
  at(timeMs: number): Wait | UnknownWait {
    const second = Math.floor(timeMs / 1000);
    if (this.#shown?.second !== second)
      this.#shown = { second, wait: this.#predictor.predict((timeMs - this.#lagMs) / 1000) };
    return this.#shown.wait;
  }

  /** What was said to those who joined since the last call. */
  takeSaid(): readonly Said[] {
    const said = this.#said;
    this.#said = [];
    return said;
  }

  #learn(visits: readonly LearnedVisit[]): void {
    const moments = visits.flatMap((visit) => momentsOf(visit).map((moment) => ({ ...moment, visit })));
    for (const { visit, ...moment } of moments.sort(inOrder)) {
      const { person, number } = visit;
      if (number !== null) this.#toldOf(number, visit.till).kinds.add(moment.kind);
      if (moment.kind !== 'joined') tell(this.#predictor, moment, visit);
      else this.#predictor.joined(person, moment.at, visit.said ?? unknownWait('learning'));
    }
  }

  #forgetLine(timeMs: number): void {
    this.#pending = [];
    this.#told.clear();
    this.#tillStates.clear();
    this.#predictor.uncovered((timeMs - this.#lagMs) / 1000);
    this.#settledMs = timeMs + SETTLE_MS;
  }

  #note(visit: Visit, timeMs: number): void {
    const { id, state, outcomeDecidedAtMs } = visit;
    const line = lineVisitOf(visit);
    const isGone = line.lostAt !== null;
    this.#pending = this.#pending.filter(({ visitId }) => visitId !== id);
    // Of whom nothing was told, nothing has to be taken back.
    if (isGone && !this.#told.get(id)?.kinds.size) {
      this.#told.delete(id);
      return;
    }
    const told = this.#toldOf(id, line.till);
    const hasMoved = told.kinds.has('started') && line.till !== null && line.till !== told.till;
    const goesOn = told.kinds.has('ended') && line.endedAt === null;
    told.till = line.till;
    if (!isGone && (hasMoved || goesOn)) {
      told.kinds.delete('ended');
      told.kinds.delete('started');
    }
    for (const moment of momentsOf(line)) {
      if (told.kinds.has(moment.kind)) continue;
      this.#later(moment, id, () => {
        told.kinds.add(moment.kind);
        if (moment.kind === 'joined') this.#join(id, line.person, moment.at);
        else tell(this.#predictor, moment, line);
      });
    }
    if (state === 'closed' || state === 'discarded')
      this.#later({ at: (outcomeDecidedAtMs ?? timeMs) / 1000, rank: LAST }, id, () => this.#told.delete(id));
  }

  #noteTill({ tillId, state, confidence }: TillNow, timeMs: number): void {
    if (confidence === 'low' || this.#tillStates.get(tillId) === state) return;
    this.#tillStates.set(tillId, state);
    const at = timeMs / 1000;
    this.#later({ at, rank: LAST }, null, () => this.#predictor.tillIs(tillId, state, at));
  }

  #join(number: number, person: string, joinedAt: number): void {
    const { inLine: ahead } = this.#predictor;
    const wait = this.#predictor.joined(person, joinedAt);
    if (wait.reason !== null) return;
    // Who was found late has waited already.
    const late = Math.max(0, this.#predictor.time - joinedAt);
    const [median, low, high] = [wait.median + late, wait.low + late, wait.high + late];
    this.#said.push({ number, ahead, median, low, high });
  }

  #later(when: Pick<Moment, 'at' | 'rank'>, visitId: number | null, happen: () => void): void {
    this.#pending.push({ at: when.at, rank: when.rank, visitId, happen });
    this.#pending.sort(inOrder);
  }

  #toldOf(id: number, till: string | null): Told {
    const told = this.#told.get(id) ?? { kinds: new Set(), till };
    this.#told.set(id, told);
    return told;
  }
}
