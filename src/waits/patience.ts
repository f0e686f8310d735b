/** Seconds of waiting; within each part people give up at one rate. */
const EDGES = [0, 5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 240, 300, 420, 600, 900, 1200, 1800, 3600];
/** A part counts as much as the whole after so many seconds of waiting. */
const SHRINK_SECONDS = 600;
/** After so many who gave up, the older ones weigh half. */
const FADE_AFTER = 4000;

/** How long people wait before they give up. Who was served would have waited longer: he counts until he was served (Kaplan and Meier). */
export class Patience {
  /** `sum` and `end`: the rates summed up to the begin and to the end of the part. */
  private readonly parts = EDGES.map((from, at) => ({
    from,
    to: EDGES[at + 1] ?? Number.POSITIVE_INFINITY,
    gaveUp: 0,
    waited: 0,
    rate: 0,
    sum: 0,
    end: 0,
  }));
  private count = 0;

  add(seconds: number, gaveUp: boolean): void {
    for (const part of this.parts) {
      if (part.from > seconds) break;
      part.waited += Math.min(seconds, part.to) - part.from;
      if (gaveUp && seconds < part.to) part.gaveUp += 1;
    }
    if (gaveUp) this.count += 1;
    if (this.count > FADE_AFTER) this.fade();
    this.learn();
  }

  /** Share of people who wait at least so long. */
  survival(seconds: number): number {
    return Math.exp(-this.sumTo(seconds));
  }

  /** Seconds from now until somebody who has waited so long gives up, at luck `u`. */
  rest(waited: number, u: number): number {
    const needed = this.sumTo(waited) - Math.log(u);
    for (const { from, rate, sum, end } of this.parts)
      if (needed < end) return Math.max(0, from + (needed - sum) / rate - waited);
    return Number.POSITIVE_INFINITY;
  }

  private sumTo(seconds: number): number {
    for (const { from, to, rate, sum } of this.parts) if (seconds < to) return sum + rate * (seconds - from);
    return Number.POSITIVE_INFINITY;
  }

  private fade(): void {
    for (const part of this.parts) {
      part.gaveUp *= 0.5;
      part.waited *= 0.5;
    }
    this.count *= 0.5;
  }

  private learn(): void {
    let gaveUp = 0;
    let waited = 1;
    for (const part of this.parts) {
      gaveUp += part.gaveUp;
      waited += part.waited;
    }
    let sum = 0;
    for (const part of this.parts) {
      part.sum = sum;
      part.rate = (part.gaveUp + (gaveUp / waited) * SHRINK_SECONDS) / (part.waited + SHRINK_SECONDS);
      sum += part.rate * (part.to - part.from);
      part.end = sum;
    }
  }
}
