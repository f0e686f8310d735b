/** How an upload goes on: sent bytes, the rate of the last seconds and the time that is left. */

export interface Sample {
  readonly atMs: number;
  readonly bytes: number;
}

/** The rate is that of the last so many milliseconds: an average of all would not follow a network that gets slower. */
const WINDOW_MS = 8_000;
/** Before this the rate says nothing. */
const LEAST_MS = 1_500;

export interface Transfer {
  /** 0-100, 100 only when all is sent. */
  readonly percent: number;
  readonly bytesPerSecond: number | null;
  readonly secondsLeft: number | null;
}

/** @returns the samples with one more, without those that are older than needed */
export function withSample(samples: readonly Sample[], sample: Sample): readonly Sample[] {
  const from = samples.findLastIndex(({ atMs }) => atMs <= sample.atMs - WINDOW_MS);
  return [...samples.slice(Math.max(0, from)), sample];
}

export function transferOf(samples: readonly Sample[], totalBytes: number): Transfer {
  const [first, last] = [samples[0], samples.at(-1)];
  if (!first || !last || totalBytes <= 0) return { percent: 0, bytesPerSecond: null, secondsLeft: null };
  const percent = last.bytes >= totalBytes ? 100 : Math.min(99, Math.floor((100 * last.bytes) / totalBytes));
  const [tookMs, sent] = [last.atMs - first.atMs, last.bytes - first.bytes];
  if (tookMs < LEAST_MS || sent <= 0) return { percent, bytesPerSecond: null, secondsLeft: null };
  const bytesPerSecond = (sent / tookMs) * 1000;
  return { percent, bytesPerSecond, secondsLeft: Math.ceil((totalBytes - last.bytes) / bytesPerSecond) };
}
