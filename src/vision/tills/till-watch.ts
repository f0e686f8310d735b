import { FRAME_GAP_MS, type Moment } from '../moment.ts';
import type { QueueZones, TillService, Visit } from '../types.ts';
import { isWaiting } from '../zones/visit-states.ts';
import { type LearnedTimes, noTimes, STEP_UP_MS, typicalTime, withTime } from './learned-times.ts';
import {
  isUnsure,
  newTill,
  seeTill,
  type TillEvidence,
  type TillMemory,
  type TillState,
} from './till-state.ts';

/** Live states may change for so long. */
export const PROVISIONAL_MS = 30_000;
const SECOND_MS = 1_000;

/** A span of frame time; `toMs` is null while it lasts. */
interface Span {
  readonly key: string;
  readonly tillId: string | null;
  readonly fromMs: number;
  readonly toMs: number | null;
}

/** Open or closed since then. */
interface Change {
  readonly fromMs: number;
  readonly isOpen: boolean;
}

/** The state of a till now. */
export interface TillNow {
  readonly tillId: string;
  readonly state: Exclude<TillState, 'unknown'>;
  readonly sinceMs: number;
  /** `low`: nobody can know; the till was used, but not lately. */
  readonly confidence: 'high' | 'low';
}

/** One second of frame time whose states do not change any more. */
export interface TillSecond {
  /** Its start. */
  readonly timeMs: number;
  /** By till, in the order of the scene. A second without frames is left out: its states are unknown. */
  readonly states: readonly Exclude<TillState, 'unknown'>[];
  /** For each till whether somebody waited in a line that feeds it. */
  readonly isWaitedFor: readonly boolean[];
}

export interface TillsUpdate {
  readonly now: readonly TillNow[];
  /** What became final with this frame; empty in most frames. */
  readonly settled: readonly TillSecond[];
}

/** The state of a watch, as plain data. */
export interface TillsCheckpoint {
  readonly tills: readonly {
    readonly id: string;
    readonly memory: TillMemory;
    readonly changes: readonly Change[];
  }[];
  readonly services: readonly Span[];
  readonly waits: readonly Span[];
  readonly gaps: readonly { readonly fromMs: number; readonly toMs: number }[];
  readonly stepUps: LearnedTimes;
  readonly settledMs: number | null;
}

/** What a frame shows around the tills. */
export interface SeenTills {
  readonly now: Moment;
  /** The frame before; null for the first. */
  readonly before: Moment | null;
  readonly open: readonly Visit[];
  readonly changes: readonly Visit[];
  /** Open visits of people who are more likely gone than there. */
  readonly doubtful: readonly Visit[];
  /** Tills in whose polygon a customer stands. */
  readonly occupied: ReadonlySet<string>;
  /** Tills at whose staff side somebody stands. */
  readonly staffed: ReadonlySet<string>;
}

interface WatchedTill {
  readonly id: string;
  readonly hasStaffSide: boolean;
  readonly isFed: boolean;
  memory: TillMemory | null;
  /** The oldest first; those before the last settled second are dropped but for one. */
  changes: readonly Change[];
}

/** Follows the tills of a scene: what state each is in, live and second by second. One instance per scene. */
export class TillWatch {
  readonly #tills: readonly WatchedTill[];
  #services: readonly Span[];
  #waits: readonly Span[];
  #gaps: readonly { readonly fromMs: number; readonly toMs: number }[];
  #stepUps: LearnedTimes;
  /** End of the last second that is final; null before the first frame. */
  #settledMs: number | null;
  #lastMs = 0;
  /** The live states, and the second for which they were made. */
  #shown: { readonly second: number; readonly now: readonly TillNow[] } = { second: -1, now: [] };

  constructor({ tills = [], queueFeeds }: QueueZones, known: TillsCheckpoint | null = null) {
    this.#tills = tills.map(({ id, staffPoints }) => {
      const stored = known?.tills.find((till) => till.id === id);
      return {
        ...{ id, hasStaffSide: staffPoints !== undefined, isFed: queueFeeds?.tillIds.includes(id) ?? true },
        ...{ memory: structuredClone(stored?.memory) ?? null, changes: stored?.changes ?? [] },
      };
    });
    this.#services = known?.services ?? [];
    this.#waits = known?.waits ?? [];
    this.#gaps = known?.gaps ?? [];
    this.#stepUps = known?.stepUps ?? noTimes();
    this.#settledMs = known?.settledMs ?? null;
  }

  update(seen: SeenTills): TillsUpdate {
    const { now, before, open, changes, doubtful } = seen;
    this.#lastMs = now.timeMs;
    this.#settledMs ??= secondOf(now.timeMs);
    if (before && now.timeMs - before.timeMs > FRAME_GAP_MS)
      this.#gaps = [...this.#gaps, { fromMs: before.timeMs, toMs: now.timeMs }];
    for (const visit of changes) this.#note(visit);
    const isWaitedFor = open.some((visit) => isWaiting(visit) && !doubtful.includes(visit));
    const elapsedMs = before ? now.watchedMs - before.watchedMs : 0;
    const stepUpMs = typicalTime(this.#stepUps, STEP_UP_MS);
    const services = servicesIn(open);
    let hasChanged = changes.length > 0;
    for (const till of this.#tills) {
      till.memory ??= newTill(now.timeMs);
      const { memory, id } = till;
      const sinceMs = memory.sinceMs;
      const wasOpen = memory.isOpen;
      // One literal without a spread: this is done for each till and frame, and the spread was half of the cost.
      const waited = seeTill(memory, {
        now,
        elapsedMs,
        stepUpMs,
        settledMs: this.#settledMs,
        service: services.get(id) ?? null,
        endedAtMs: () => lastEnd(this.#services, id),
        isOccupied: seen.occupied.has(id),
        hasStaff: till.hasStaffSide ? seen.staffed.has(id) : null,
        isWaitedFor: isWaitedFor && till.isFed,
      });
      // A till that was closed says nothing about how long people take to step up.
      if (waited !== null && waited > 0 && wasOpen) this.#stepUps = withTime(this.#stepUps, waited);
      if (till.changes.length === 0) till.changes = [{ fromMs: sinceMs, isOpen: wasOpen }];
      if (memory.isOpen === wasOpen) continue;
      hasChanged = true;
      till.changes = changed(till.changes, memory);
    }
    const second = secondOf(now.timeMs);
    // What one is not sure of changes slowly.
    if (hasChanged || second !== this.#shown.second) this.#shown = { second, now: this.#now() };
    return { now: this.#shown.now, settled: this.#settle(now.timeMs - PROVISIONAL_MS) };
  }

  /** At the end: every second up to the last frame is final. @param changes the visits that the end closed */
  close(changes: readonly Visit[]): TillsUpdate {
    for (const visit of changes) this.#note(visit);
    // The second of the last frame counts where its middle was seen.
    return { now: [], settled: this.#settle(this.#lastMs + SECOND_MS / 2) };
  }

  checkpoint(): TillsCheckpoint {
    return {
      tills: this.#tills.flatMap(({ id, memory, changes }) => (memory ? [{ id, memory, changes }] : [])),
      ...{ services: this.#services, waits: this.#waits, gaps: this.#gaps },
      ...{ stepUps: this.#stepUps, settledMs: this.#settledMs },
    };
  }

  /** Takes the back-dated times of a visit. One of staff never was. */
  #note(visit: Visit): void {
    const isCustomer = visit.state !== 'discarded';
    const endMs = visit.outcomeDecidedAtMs;
    const services = isCustomer ? (visit.services ?? []) : [];
    const own = (span: Span) => span.key === `${visit.id}`;
    this.#services = [
      ...this.#services.filter((span) => !own(span)),
      ...services.map((service) => spanOf(visit, service)),
    ];
    const { queueEnteredAtMs: fromMs } = visit;
    const toMs = visit.queueLeftAtMs ?? visit.serviceStartedAtMs ?? endMs;
    const wait = { key: `${visit.id}`, tillId: null, fromMs: fromMs ?? 0, toMs };
    const waits = this.#waits.filter((span) => !own(span));
    this.#waits = isCustomer && fromMs !== null ? [...waits, wait] : waits;
  }

  #now(): TillNow[] {
    return this.#tills.flatMap(({ id, memory }) => {
      if (!memory) return [];
      const service = this.#services.find(({ tillId, toMs }) => tillId === id && toMs === null);
      const { isOpen, sinceMs, usedMs } = memory;
      const freeMs = Math.max(sinceMs, lastEnd(this.#services, id) ?? usedMs ?? sinceMs);
      return {
        tillId: id,
        state: service ? 'serving' : isOpen ? 'free' : 'closed',
        sinceMs: service ? service.fromMs : isOpen ? freeMs : sinceMs,
        confidence: !service && isUnsure(memory, this.#lastMs) ? 'low' : 'high',
      };
    });
  }

  #settle(untilMs: number): TillSecond[] {
    const settled: TillSecond[] = [];
    let at = this.#settledMs ?? untilMs;
    if (untilMs - at < SECOND_MS) return settled;
    for (; untilMs - at >= SECOND_MS; at += SECOND_MS) {
      const middle = at + SECOND_MS / 2;
      const gap = this.#gaps.find(({ fromMs, toMs }) => fromMs <= middle && middle < toMs);
      // Nobody has to look at each second of a long outage.
      if (gap) at = Math.max(at, secondOf(Math.min(gap.toMs, untilMs) - SECOND_MS));
      else settled.push(this.#secondAt(at, middle));
    }
    this.#settledMs = at;
    this.#forget(at);
    return settled;
  }

  #secondAt(timeMs: number, middle: number): TillSecond {
    const covers = ({ fromMs, toMs }: Span) => fromMs <= middle && (toMs === null || middle < toMs);
    const served = new Set(this.#services.filter(covers).map(({ tillId }) => tillId));
    const waits = this.#waits.some(covers);
    return {
      timeMs,
      states: this.#tills.map(({ id, changes }) => {
        if (served.has(id)) return 'serving';
        return (changes.findLast(({ fromMs }) => fromMs <= middle) ?? changes[0])?.isOpen ? 'free' : 'closed';
      }),
      isWaitedFor: this.#tills.map(({ isFed }) => waits && isFed),
    };
  }

  /** Drops what is before the last settled second. */
  #forget(settledMs: number): void {
    const isRecent = ({ toMs }: { readonly toMs: number | null }) => toMs === null || toMs > settledMs;
    this.#services = this.#services.filter(isRecent);
    this.#waits = this.#waits.filter(isRecent);
    this.#gaps = this.#gaps.filter(isRecent);
    for (const till of this.#tills) {
      const first = till.changes.findLastIndex(({ fromMs }) => fromMs <= settledMs);
      if (first > 0) till.changes = till.changes.slice(first);
    }
  }
}

const secondOf = (timeMs: number): number => Math.floor(timeMs / SECOND_MS) * SECOND_MS;

/** A change that is back-dated replaces what was after it. */
const changed = (changes: readonly Change[], { sinceMs, isOpen }: TillMemory): readonly Change[] => [
  ...changes.filter(({ fromMs }) => fromMs < sinceMs),
  { fromMs: sinceMs, isOpen },
];

const spanOf = (visit: Visit, { tillId, startedAtMs, endedAtMs }: TillService): Span => ({
  ...{ key: `${visit.id}`, tillId, fromMs: startedAtMs },
  toMs: endedAtMs ?? visit.outcomeDecidedAtMs,
});

function lastEnd(services: readonly Span[], id: string): number | null {
  let end: number | null = null;
  for (const { tillId, toMs } of services)
    if (tillId === id && toMs !== null && (end === null || toMs > end)) end = toMs;
  return end;
}

/** The open service at each till. */
function servicesIn(open: readonly Visit[]): Map<string, TillEvidence['service']> {
  const found = new Map<string, TillEvidence['service']>();
  for (const { services = [], queueLeftAtMs } of open) {
    const last = services.at(-1);
    if (!last || last.endedAtMs !== null || found.has(last.tillId)) continue;
    const { startedAtMs } = last;
    const calledAtMs = (services.length === 1 ? queueLeftAtMs : null) ?? startedAtMs;
    found.set(last.tillId, { startedAtMs, calledAtMs });
  }
  return found;
}
