import type { Point } from '../vision/types.ts';

/** A point on the floor in metres: x to the right of the camera, z away from it. */
export interface Ground {
  readonly x: number;
  readonly z: number;
}

/** Size of the simulated camera's frames, in pixels. */
export const FRAME_WIDTH = 960;
export const FRAME_HEIGHT = 540;

const CAMERA_HEIGHT_METRES = 2.7;
const TILT_RADIANS = (15 * Math.PI) / 180;
/** In frame heights: a vertical angle of view of 35°. */
const FOCAL_LENGTH = 1.6;
const SIN = Math.sin(TILT_RADIANS);
const COS = Math.cos(TILT_RADIANS);
export const ASPECT = FRAME_WIDTH / FRAME_HEIGHT;

/** Distance of a point `up` metres above the floor, along the axis of the camera. */
const axial = (z: number, up: number): number => z * COS + (CAMERA_HEIGHT_METRES - up) * SIN;

/** x of a point above the floor in the frame: fractions of the frame, unclipped. */
export function horizontal(x: number, z: number, up = 0): number {
  return 0.5 + (FOCAL_LENGTH * x) / (axial(z, up) * ASPECT);
}

/** y of it, as `horizontal`. */
export function vertical(z: number, up = 0): number {
  return 0.5 + (FOCAL_LENGTH * ((CAMERA_HEIGHT_METRES - up) * COS - z * SIN)) / axial(z, up);
}

/** From the floor to the frame, in fractions. */
export const project = (at: Ground): Point => [horizontal(at.x, at.z), vertical(at.z)];

/** Height of an object at distance z, as a share of the frame. */
export const apparentHeight = (z: number, heightMetres: number): number =>
  vertical(z) - vertical(z, heightMetres);

/** Half of the visible width of the floor at distance z, in metres. */
export const halfViewWidth = (z: number): number => (axial(z, 0) * ASPECT) / (2 * FOCAL_LENGTH);
