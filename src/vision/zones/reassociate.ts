import { iou } from '../geometry.ts';
import type { Track } from '../types.ts';
import type { Subject } from './subject.ts';

/** Share of box overlap from which a new track is the old person again. */
const SAME_PERSON_IOU = 0.3;

/**
 * Which of the people out of sight the new tracks continue: pairs with the largest box overlap first,
 * each person and each track once.
 */
export function continuations(missing: readonly Subject[], fresh: readonly Track[]): Map<Track, Subject> {
  const pairs: { track: Track; subject: Subject; overlap: number }[] = [];
  for (const track of fresh) {
    for (const subject of missing) {
      const overlap = iou(subject.box, track.box);
      if (overlap >= SAME_PERSON_IOU) pairs.push({ track, subject, overlap });
    }
  }
  pairs.sort((a, b) => b.overlap - a.overlap);
  const taken = new Set<Subject>();
  const matched = new Map<Track, Subject>();
  for (const { track, subject } of pairs) {
    if (taken.has(subject) || matched.has(track)) continue;
    taken.add(subject);
    matched.set(track, subject);
  }
  return matched;
}
