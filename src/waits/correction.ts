import { classesOf, type Edges, inClassOf } from './classes.ts';

/** What the futures say, in seconds. */
export interface Raw {
  readonly ahead: number;
  readonly median: number;
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}
export interface Corrected {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

/** Lines of at least so many people ahead are corrected apart. */
const LINES: Edges = [0, 1, 3, 6];
/** Below this many seconds errors count as differences, above as ratios. */
const SOFT_SECONDS = 15;
/** Share of outcomes that may lie above the band, and share that may lie below it. */
const MISSED_SHARE = 0.1;
/** How fast a band follows misses (adaptive conformal inference), and how fast its middle follows errors. */
const BAND_STEP = 0.05;
const LEVEL_STEP = 0.001;
/** Between the median (smallest error) and the mean (no bias) of the futures. */
const TOWARDS_MEAN = 0.5;
const NARROWEST = 0.05;
const WIDEST = 8;

/**
 * Keeps predictions honest under drift. Each outcome moves the ends of the band by the rule of Gibbs and Candès (2021): a miss moves
 * that end out by nine times as much as a hit moves it in, so that a tenth lies beyond each end whatever happens.
 */
export class Correction {
  /**
   * `level`: what the middle is multiplied with, as a logarithm. `above` and `below`: how many times as far from the middle as in the futures
   * the ends of the band are.
   */
  private readonly lines = classesOf(LINES, () => ({ level: 0, above: 1, below: 1 }));
  private usual = 30;

  correct(raw: Raw): Corrected {
    const line = inClassOf(this.lines, raw.ahead);
    const median = Math.log(raw.median + SOFT_SECONDS);
    const middle = Math.log(raw.median + TOWARDS_MEAN * (raw.mean - raw.median) + SOFT_SECONDS) + line.level;
    const up = Math.max(Math.log(raw.high + SOFT_SECONDS) - median, 0.1);
    const down = Math.max(median - Math.log(raw.low + SOFT_SECONDS), 0.1);
    return {
      median: secondsOf(middle),
      low: secondsOf(middle - down * line.below),
      high: secondsOf(middle + up * line.above),
    };
  }

  /** Somebody to whom this was said was served after so many seconds. */
  learn(ahead: number, said: Corrected, seconds: number): void {
    const line = inClassOf(this.lines, ahead);
    line.above = moved(line.above, seconds > said.high);
    line.below = moved(line.below, seconds < said.low);
    const error = (seconds - said.median) / (this.usual + SOFT_SECONDS);
    line.level += LEVEL_STEP * Math.min(Math.max(error, -3), 3);
    this.usual += 0.02 * (said.median - this.usual);
  }
}

const secondsOf = (log: number): number => Math.max(0, Math.exp(log) - SOFT_SECONDS);

const moved = (end: number, missed: boolean): number =>
  Math.min(Math.max(end + BAND_STEP * ((missed ? 1 : 0) - MISSED_SHARE), NARROWEST), WIDEST);
