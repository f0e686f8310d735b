/** Seconds of silence: how long somebody waited while this till began no service. */
const SILENCE = [0, 2, 4, 7, 11, 16, 24, 35, 50, 75, 110, 180, 300, 600, 1200, 3600, 10_800];
const PARTS = SILENCE.length;
/** Stands for the idle time of a till that somebody sees to be closed: its silence begins with the closing. */
export const CLOSED = 1e12;
/** Seconds that the till was idle while nobody waited. */
const IDLE = [0, 5, 60, 600, 7200, CLOSED];
const KINDS = IDLE.length;
/** People who wait. */
const WAITING = [1, 2, 4, 8];
/** From here on a till counts as away: whether it comes back depends on the line in another way. */
const AWAY = { silentSeconds: 110, idleSeconds: 600 };
/** Services or seconds of silence after which rates are computed again. */
const LEARN_EVERY = { services: 10, parts: 500 };
const SHRINK = { part: 2, kind: 4, line: 8 };
const FADE_AFTER = 500;
/** A closed till opens after ten minutes, before anything was seen. */
const CLOSED_RATE = 1 / 600;

function partOf(edges: readonly number[], value: number): number {
  let at = edges.length - 1;
  while (at > 0 && edges[at]! > value) at--;
  return at;
}

const end = (part: number): number => (part + 1 < PARTS ? SILENCE[part + 1]! : Number.POSITIVE_INFINITY);

/**
 * How soon an idle till begins the next service while somebody waits, by how long it has been silent. This is all that is known of
 * who has gone: few tills that were silent for minutes in front of a line begin again soon, and the rates know how few.
 */
export class Silence {
  private readonly begun = new Float64Array(PARTS * KINDS);
  private readonly exposed = new Float64Array(PARTS * KINDS);
  private readonly rate = new Float64Array(PARTS * KINDS);
  private readonly begunByLine = new Float64Array(WAITING.length * 2);
  private readonly expectedByLine = new Float64Array(WAITING.length * 2);
  private parts = 0;
  private services = 0;

  constructor() {
    this.learn();
  }

  /** A till stayed silent from `from` to `to` seconds. @returns how many services were to be expected of it */
  expose(from: number, to: number, idle: number, waiting: number): number {
    const kind = partOf(IDLE, idle);
    let expected = 0;
    for (let part = partOf(SILENCE, from); part < PARTS && SILENCE[part]! < to; part++) {
      const seconds = Math.min(to, end(part)) - Math.max(from, SILENCE[part]!);
      const cell = part * KINDS + kind;
      this.exposed[cell]! += seconds;
      this.expectedByLine[lineCell(SILENCE[part]!, idle, waiting)]! += this.rate[cell]! * seconds;
      expected += this.rate[cell]! * seconds;
      this.parts += 1;
    }
    if (this.parts >= LEARN_EVERY.parts) this.learn();
    return expected;
  }

  /** A till that was silent so long began a service. */
  begin(silent: number, idle: number, waiting: number): void {
    this.begun[partOf(SILENCE, silent) * KINDS + partOf(IDLE, idle)]! += 1;
    this.begunByLine[lineCell(silent, idle, waiting)]! += 1;
    this.services += 1;
    if (this.services >= LEARN_EVERY.services) this.learn();
  }

  /** How many times as soon a till begins when so many wait: somebody opens one for a long line. */
  lineFactor(silent: number, idle: number, waiting: number): number {
    const cell = lineCell(silent, idle, waiting);
    return (this.begunByLine[cell]! + SHRINK.line) / (this.expectedByLine[cell]! + SHRINK.line);
  }

  /**
   * Seconds with somebody waiting until a till begins that has been silent so long.
   * @param needed −ln of its luck, divided by its factors
   */
  rest(silent: number, idle: number, needed: number): number {
    const kind = partOf(IDLE, idle);
    let passed = 0;
    let from = silent;
    let left = needed;
    for (let part = partOf(SILENCE, silent); ; part++) {
      const rate = this.rate[part * KINDS + kind]!;
      const width = end(part) - from;
      if (rate * width >= left) return passed + left / rate;
      left -= rate * width;
      passed += width;
      from = end(part);
    }
  }

  private learn(): void {
    this.parts = 0;
    this.services = 0;
    for (let part = 0; part < PARTS; part++) {
      let begun = 0;
      let exposed = 0;
      for (let kind = 0; kind < KINDS - 1; kind++) {
        begun += this.begun[part * KINDS + kind]!;
        exposed += this.exposed[part * KINDS + kind]!;
      }
      // Before anything was seen: ten seconds after a service, and the longer a till was silent the longer it will be.
      const guess = Math.min(0.1, 0.7 / (SILENCE[part]! + 1));
      const whole = (begun + SHRINK.part) / (exposed + SHRINK.part / guess);
      for (let kind = 0; kind < KINDS; kind++) {
        const cell = part * KINDS + kind;
        this.rate[cell] =
          (this.begun[cell]! + SHRINK.kind) /
          (this.exposed[cell]! + SHRINK.kind / (kind < KINDS - 1 ? whole : CLOSED_RATE));
      }
    }
    for (let cell = 0; cell < this.begunByLine.length; cell++) {
      if (this.expectedByLine[cell]! <= FADE_AFTER) continue;
      this.expectedByLine[cell]! *= 0.5;
      this.begunByLine[cell]! *= 0.5;
    }
  }
}

function lineCell(silent: number, idle: number, waiting: number): number {
  const isAway = silent >= AWAY.silentSeconds || idle >= AWAY.idleSeconds;
  return (isAway ? WAITING.length : 0) + partOf(WAITING, waiting);
}
