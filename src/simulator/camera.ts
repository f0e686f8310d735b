import type { Point } from '../vision/types.ts';

/** A place on the shop's floor in metres: x to the right of the camera, z away from it. */
export interface Ground {
  readonly x: number;
  readonly z: number;
}

/** The picture that the shop's camera gives, in pixels. */
export const PICTURE_WIDTH = 960;
export const PICTURE_HEIGHT = 540;

const CAMERA_HEIGHT_METRES = 2.7;
const TILT_RADIANS = (15 * Math.PI) / 180;
/** In picture heights: a vertical angle of view of 35°. */
const FOCAL_LENGTH = 1.6;
const SIN = Math.sin(TILT_RADIANS);
const COS = Math.cos(TILT_RADIANS);
const ASPECT = PICTURE_WIDTH / PICTURE_HEIGHT;

/** Distance along the camera's axis of a point `up` metres above the floor. */
const axial = (z: number, up: number): number => z * COS + (CAMERA_HEIGHT_METRES - up) * SIN;

/** Where a point above the floor appears: fractions of the picture, unclipped. */
export function horizontal(x: number, z: number, up = 0): number {
  return 0.5 + (FOCAL_LENGTH * x) / (axial(z, up) * ASPECT);
}

/** @see horizontal */
export function vertical(z: number, up = 0): number {
  return 0.5 + (FOCAL_LENGTH * ((CAMERA_HEIGHT_METRES - up) * COS - z * SIN)) / axial(z, up);
}

/** Floor to picture, in fractions. */
export const project = (at: Ground): Point => [horizontal(at.x, at.z), vertical(at.z)];

/** Share of the picture's height that something `heightMetres` tall takes at distance z. */
export const apparentHeight = (z: number, heightMetres: number): number =>
  vertical(z) - vertical(z, heightMetres);

/** Half of the floor's visible width at distance z, in metres. */
export const halfViewWidth = (z: number): number => (axial(z, 0) * ASPECT) / (2 * FOCAL_LENGTH);
