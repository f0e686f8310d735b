import { classesOf, type Edges, inClassOf } from './classes.ts';

/** Seconds of silence: how long somebody waited while this till began no service. */
const SILENCE = [0, 2, 4, 7, 11, 16, 24, 35, 50, 75, 110, 180, 300, 600, 1200, 3600, 10_800];
/** Stands for the idle time of a till that somebody sees to be closed: its silence begins with the closing. */
export const CLOSED = 1e12;
/** Seconds that the till was idle while nobody waited. */
const IDLE: Edges = [0, 5, 60, 600, 7200, CLOSED];
/** People who wait. */
const WAITING: Edges = [1, 2, 4, 8];
/** From here on a till counts as away: whether it comes back depends on the line in another way. */
const AWAY = { silentSeconds: 110, idleSeconds: 600 };
/** Services or seconds of silence after which rates are computed again. */
const LEARN_EVERY = { services: 10, parts: 500 };
const SHRINK = { part: 2, kind: 4, line: 8 };
const FADE_AFTER = 500;
/** A closed till opens after ten minutes, before anything was seen. */
const CLOSED_RATE = 1 / 600;

const byLine = () => classesOf(WAITING, () => ({ begun: 0, expected: 0 }));

/**
 * How soon an idle till begins the next service while somebody waits, by how long it has been silent. This is all that is known of
 * who has gone: few tills that were silent for minutes in front of a line begin again soon, and the rates know how few.
 */
export class Silence {
  private readonly kinds = classesOf(IDLE, () =>
    SILENCE.map((from, at) => ({
      from,
      to: SILENCE[at + 1] ?? Number.POSITIVE_INFINITY,
      begun: 0,
      exposed: 0,
      rate: 0,
    })),
  );
  private readonly lines = { here: byLine(), away: byLine() };
  private parts = 0;
  private services = 0;

  constructor() {
    this.learn();
  }

  /** A till stayed silent from `from` to `to` seconds. @returns how many services were to be expected of it */
  expose(from: number, to: number, idle: number, waiting: number): number {
    let expected = 0;
    for (const part of inClassOf(this.kinds, idle)) {
      if (part.to <= from) continue;
      if (part.from >= to) break;
      const seconds = Math.min(to, part.to) - Math.max(from, part.from);
      part.exposed += seconds;
      this.line(part.from, idle, waiting).expected += part.rate * seconds;
      expected += part.rate * seconds;
      this.parts += 1;
    }
    if (this.parts >= LEARN_EVERY.parts) this.learn();
    return expected;
  }

  /** A till that was silent so long began a service. */
  begin(silent: number, idle: number, waiting: number): void {
    const part = inClassOf(this.kinds, idle).find(({ to }) => silent < to);
    if (part) part.begun += 1;
    this.line(silent, idle, waiting).begun += 1;
    this.services += 1;
    if (this.services >= LEARN_EVERY.services) this.learn();
  }

  /** How many times as soon a till begins when so many wait: somebody opens one for a long line. */
  lineFactor(silent: number, idle: number, waiting: number): number {
    const { begun, expected } = this.line(silent, idle, waiting);
    return (begun + SHRINK.line) / (expected + SHRINK.line);
  }

  /**
   * Seconds with somebody waiting until a till begins that has been silent so long.
   * @param needed −ln of its luck, divided by its factors
   */
  rest(silent: number, idle: number, needed: number): number {
    let passed = 0;
    let from = silent;
    let left = needed;
    for (const { to, rate } of inClassOf(this.kinds, idle)) {
      if (to <= silent) continue;
      const width = to - from;
      if (rate * width >= left) return passed + left / rate;
      left -= rate * width;
      passed += width;
      from = to;
    }
    return Number.POSITIVE_INFINITY;
  }

  private line(silent: number, idle: number, waiting: number) {
    const isAway = silent >= AWAY.silentSeconds || idle >= AWAY.idleSeconds;
    return inClassOf(isAway ? this.lines.away : this.lines.here, waiting);
  }

  private learn(): void {
    this.parts = 0;
    this.services = 0;
    const cells = this.kinds.flatMap(({ from: idle, value }) =>
      value.map((cell) => ({ cell, isClosed: idle === CLOSED })),
    );
    for (const from of SILENCE) {
      const kinds = cells.filter(({ cell }) => cell.from === from);
      let begun = 0;
      let exposed = 0;
      for (const { cell, isClosed } of kinds) {
        if (isClosed) break;
        begun += cell.begun;
        exposed += cell.exposed;
      }
      // Before anything was seen: ten seconds after a service, and the longer a till was silent the longer it will be.
      const guess = Math.min(0.1, 0.7 / (from + 1));
      const whole = (begun + SHRINK.part) / (exposed + SHRINK.part / guess);
      for (const { cell, isClosed } of kinds) {
        const usual = isClosed ? CLOSED_RATE : whole;
        cell.rate = (cell.begun + SHRINK.kind) / (cell.exposed + SHRINK.kind / usual);
      }
    }
    for (const { value: line } of [...this.lines.here, ...this.lines.away]) {
      if (line.expected <= FADE_AFTER) continue;
      line.expected *= 0.5;
      line.begun *= 0.5;
    }
  }
}
