import { inHeights } from '../body.ts';
import type { Box } from '../types.ts';
import type { TrackerOptions } from './options.ts';
import type { Tracklet } from './tracklet.ts';

/**
 * People who pass close by one another may leave with each other's track. Once a track has shown somebody else for some
 * sightings, and that look is of a person near by who was not seen meanwhile, the two get their own tracks back. So does
 * who turns up as new where a track lost them: a passer-by stood before them and left with it.
 * Only confirmed tracks have names to exchange.
 */
export function exchangeIdentities(
  tracks: readonly Tracklet[],
  { timeMs, options }: { timeMs: number; options: TrackerOptions },
): void {
  for (const track of tracks) {
    if (!track.confirmed || track.lastSeenMs !== timeMs) continue;
    const owner = ownerOf(track, tracks, options);
    if (owner) {
      track.exchangeWith(owner);
      track.identity!.beItself(track.lastSighting);
      owner.identity!.beItself(owner.identity!.own);
    } else claimantOf(track, tracks, { timeMs, options })?.claim(track);
  }
}

/** Whose look the track shows; null if its own, or nobody's who could be there. */
function ownerOf(track: Tracklet, tracks: readonly Tracklet[], options: TrackerOptions): Tracklet | null {
  const { strangerSightings, ownerLook, ownerMargin, ownerReach } = options;
  const { identity } = track;
  const stranger = identity?.stranger;
  if (!stranger || stranger.sightings < strangerSightings) return null;
  let owner: Tracklet | null = null;
  let least = Math.min(ownerLook, identity.difference(stranger.look) - ownerMargin);
  for (const other of tracks) {
    if (other === track || !other.confirmed || !other.identity?.isKnown) continue;
    if (other.identity.own.timeMs >= stranger.sinceMs) continue;
    if (apart(track.lastSeen, other.lastSeen) > ownerReach || showsThird(other, track, options)) continue;
    const difference = other.identity.difference(stranger.look);
    if (difference >= least) continue;
    least = difference;
    owner = other;
  }
  return owner;
}

/** Who is seen now, first after the track lost its own person and near there, and looks like that one; null if nobody does. */
function claimantOf(
  { identity }: Tracklet,
  tracks: readonly Tracklet[],
  { timeMs, options }: { timeMs: number; options: TrackerOptions },
): Tracklet | null {
  const { strangerSightings, ownerLook, ownerMargin, ownerReach } = options;
  const stranger = identity?.stranger;
  if (!stranger || stranger.sightings < strangerSightings) return null;
  let claimant: Tracklet | null = null;
  let least = ownerLook;
  for (const other of tracks) {
    const theirs = other.identity;
    if (!other.confirmed || other.lastSeenMs !== timeMs || !theirs || theirs.stranger) continue;
    if (theirs.sightings < strangerSightings || other.bornMs <= identity.own.timeMs) continue;
    if (apart(identity.own.box, other.lastSeen) > ownerReach) continue;
    const difference = identity.difference(theirs.look);
    if (difference >= least || difference > theirs.difference(stranger.look) - ownerMargin) continue;
    least = difference;
    claimant = other;
  }
  return claimant;
}

/** Whether `other` shows somebody who is not `track`'s person either. */
function showsThird(other: Tracklet, track: Tracklet, { ownerLook, thirdMargin }: TrackerOptions): boolean {
  const shown = other.unseenSeconds === 0 ? other.identity?.stranger : null;
  return shown ? track.identity!.difference(shown.look) > ownerLook + thirdMargin : false;
}

/** Between heads or feet, whichever are nearer (the others may be hidden), in heights of the first. */
function apart(a: Box, b: Box): number {
  const dx = (b.left + b.right - a.left - a.right) / 2;
  const dy = Math.min(Math.abs(b.top - a.top), Math.abs(b.bottom - a.bottom));
  return inHeights(a, dx, dy);
}
