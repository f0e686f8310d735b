import type { Span } from '../../../src/cameras/scenes/checks/times/match-spans.ts';
import { addUp } from '../../support/numbers.ts';

/** Queue lengths summed over frames, in people × frames. */
export interface LengthCounts {
  readonly truthPeople: number;
  readonly ourPeople: number;
  /** Sum of |ours − true|. */
  readonly peopleError: number;
  /** Frames at which the numbers differ by at most one person. */
  readonly withinOneFrames: number;
}

/** Compares the true and our number of people at each time. */
export function compareLengths(
  truth: readonly Span[],
  ours: readonly Span[],
  times: readonly number[],
): LengthCounts {
  const present = (spans: readonly Span[], time: number) =>
    spans.filter(([start, end]) => start <= time && time <= end).length;
  const perFrame = times.map((time) => {
    const [truthPeople, ourPeople] = [present(truth, time), present(ours, time)];
    const peopleError = Math.abs(ourPeople - truthPeople);
    return { truthPeople, ourPeople, peopleError, withinOneFrames: peopleError <= 1 ? 1 : 0 };
  });
  return addLengths(perFrame);
}

export const addLengths = (parts: readonly LengthCounts[]): LengthCounts =>
  addUp(['truthPeople', 'ourPeople', 'peopleError', 'withinOneFrames'], parts);
