/** Seconds of waiting; within each part people give up at one rate. */
const EDGES = [0, 5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 240, 300, 420, 600, 900, 1200, 1800, 3600];
const PARTS = EDGES.length;
/** A part counts as much as the whole after so many seconds of waiting. */
const SHRINK_SECONDS = 600;
/** After so many who gave up, the older ones weigh half. */
const FADE_AFTER = 4000;

const end = (part: number): number => (part + 1 < PARTS ? EDGES[part + 1]! : Number.POSITIVE_INFINITY);

/** How long people wait before they give up. Who was served would have waited longer: he counts until he was served (Kaplan and Meier). */
export class Patience {
  private readonly gaveUp = new Float64Array(PARTS);
  private readonly waited = new Float64Array(PARTS);
  private readonly rate = new Float64Array(PARTS);
  /** The rates summed up to the begin of each part. */
  private readonly sums = new Float64Array(PARTS);
  private count = 0;

  add(seconds: number, gaveUp: boolean): void {
    for (let part = 0; part < PARTS && EDGES[part]! <= seconds; part++) {
      this.waited[part]! += Math.min(seconds, end(part)) - EDGES[part]!;
      if (gaveUp && seconds < end(part)) this.gaveUp[part]! += 1;
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
    let part = PARTS - 1;
    while (part > 0 && this.sums[part]! > needed) part--;
    const rate = this.rate[part]!;
    if (rate <= 0) return Number.POSITIVE_INFINITY;
    return Math.max(0, EDGES[part]! + (needed - this.sums[part]!) / rate - waited);
  }

  private sumTo(seconds: number): number {
    let part = PARTS - 1;
    while (part > 0 && EDGES[part]! > seconds) part--;
    return this.sums[part]! + this.rate[part]! * (seconds - EDGES[part]!);
  }

  private fade(): void {
    for (let part = 0; part < PARTS; part++) {
      this.gaveUp[part]! *= 0.5;
      this.waited[part]! *= 0.5;
    }
    this.count *= 0.5;
  }

  private learn(): void {
    let gaveUp = 0;
    let waited = 1;
    for (let part = 0; part < PARTS; part++) {
      gaveUp += this.gaveUp[part]!;
      waited += this.waited[part]!;
    }
    let sum = 0;
    for (let part = 0; part < PARTS; part++) {
      this.sums[part] = sum;
      this.rate[part] =
        (this.gaveUp[part]! + (gaveUp / waited) * SHRINK_SECONDS) / (this.waited[part]! + SHRINK_SECONDS);
      if (part + 1 < PARTS) sum += this.rate[part]! * (end(part) - EDGES[part]!);
    }
  }
}
