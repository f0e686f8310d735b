import type { Ground } from './camera.ts';

/** Position, movement and direction of a person on the floor. Metres, seconds, radians. */
export interface Body {
  x: number;
  z: number;
  velocityX: number;
  velocityZ: number;
  /** 0 looks away from the camera, π/2 to the right, π towards it. */
  heading: number;
  /** Metres walked: drives the legs. */
  walkedMetres: number;
}

/** Distance below which two people give way. */
const ROOM_METRES = 0.75;
const PUSH_METRES_PER_SECOND = 0.9;
const REACTION_SECONDS = 0.4;
const TURN_RADIANS_PER_SECOND = 4;

/** The shorter turn from one direction to another, -π…π. */
const turn = (from: number, to: number): number => Math.atan2(Math.sin(to - from), Math.cos(to - from));

/** Turns towards a direction, at the speed of a person. */
export function face(body: Body, heading: number, seconds: number): void {
  const most = TURN_RADIANS_PER_SECOND * seconds;
  body.heading += Math.max(-most, Math.min(most, turn(body.heading, heading)));
}

/**
 * One step towards `target` with at most `speed`; gives way to `others`.
 * @returns remaining metres to the target
 */
export function walk(
  body: Body,
  target: Ground,
  step: { readonly speed: number; readonly seconds: number; readonly others: readonly Body[] },
): number {
  const dx = target.x - body.x;
  const dz = target.z - body.z;
  const distance = Math.hypot(dx, dz);
  // People slow down over the last half metre, so that they do not overshoot the target.
  const speed = Math.min(step.speed, 0.12 + 2.4 * distance);
  let goalX = distance > 0 ? (dx / distance) * speed : 0;
  let goalZ = distance > 0 ? (dz / distance) * speed : 0;
  if (distance > 0.4) {
    for (const other of step.others) {
      if (other === body) continue;
      const awayX = body.x - other.x;
      const awayZ = body.z - other.z;
      const square = awayX * awayX + awayZ * awayZ;
      if (square >= ROOM_METRES * ROOM_METRES || square === 0) continue;
      const apart = Math.sqrt(square);
      const push = (PUSH_METRES_PER_SECOND * (1 - apart / ROOM_METRES)) / apart;
      // The sideways part makes two people who meet pass each other instead of stopping.
      goalX += push * (awayX + 0.7 * awayZ);
      goalZ += push * (awayZ - 0.7 * awayX);
    }
  }
  const goal = Math.hypot(goalX, goalZ);
  const cap = goal > step.speed * 1.1 ? (step.speed * 1.1) / goal : 1;
  const share = Math.min(1, step.seconds / REACTION_SECONDS);
  body.velocityX += (goalX * cap - body.velocityX) * share;
  body.velocityZ += (goalZ * cap - body.velocityZ) * share;
  body.x += body.velocityX * step.seconds;
  body.z += body.velocityZ * step.seconds;
  const moved = Math.hypot(body.velocityX, body.velocityZ);
  body.walkedMetres += moved * step.seconds;
  if (moved > 0.15) face(body, Math.atan2(body.velocityX, body.velocityZ), step.seconds);
  return Math.hypot(target.x - body.x, target.z - body.z);
}

export function rest(body: Body): void {
  body.velocityX = 0;
  body.velocityZ = 0;
}
