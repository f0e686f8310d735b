import type { z } from 'zod';
import type { rulePreview } from './schema.ts';

type Curve = NonNullable<z.input<typeof rulePreview>['curves']>[number];

/** The least and the largest value of each metric in equally long parts of a period. */
export class PreviewCurves {
  readonly #startMs: number;
  readonly #partMs: number;
  readonly #curves: ReadonlyMap<string, Curve>;

  constructor(
    { startDate, endDate }: { startDate: Date; endDate: Date },
    paths: readonly string[],
    points: number,
  ) {
    this.#startMs = startDate.getTime();
    this.#partMs = (endDate.getTime() - this.#startMs) / points;
    const t = Array.from({ length: points }, (_, at) =>
      new Date(this.#startMs + at * this.#partMs).toISOString(),
    );
    const empty = () => Array.from<number | null>({ length: points }).fill(null);
    this.#curves = new Map(
      paths.map((metricPath) => [metricPath, { metricPath, t, min: empty(), max: empty() }]),
    );
  }

  /** @param at a time of the period */
  add(metricPath: string, at: Date, value: number): void {
    const { min, max } = this.#curves.get(metricPath)!;
    const point = Math.min(max.length - 1, Math.floor((at.getTime() - this.#startMs) / this.#partMs));
    min[point] = Math.min(min[point] ?? value, value);
    max[point] = Math.max(max[point] ?? value, value);
  }

  all(): Curve[] {
    return [...this.#curves.values()];
  }
}
