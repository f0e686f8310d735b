import type { Point } from '../vision/types.ts';

/** A point on the floor in metres: x to the right of the camera, z away from it. */
export interface Ground {
  readonly x: number;
  readonly z: number;
}

/** Size of the simulated camera's frames, in pixels. */
export const FRAME_WIDTH = 960;
export const FRAME_HEIGHT = 540;
export const ASPECT = FRAME_WIDTH / FRAME_HEIGHT;

interface CameraPlace {
  readonly heightMetres: number;
  readonly tiltDegrees: number;
  /** In frame heights. */
  readonly focalLength: number;
}

/** What a pinhole camera above x = z = 0 sees. */
export class View {
  readonly #height: number;
  readonly #focalLength: number;
  readonly #sin: number;
  readonly #cos: number;

  constructor({ heightMetres, tiltDegrees, focalLength }: CameraPlace) {
    const tilt = (tiltDegrees * Math.PI) / 180;
    this.#height = heightMetres;
    this.#focalLength = focalLength;
    this.#sin = Math.sin(tilt);
    this.#cos = Math.cos(tilt);
  }

  /** x of a point above the floor in the frame: fractions of the frame, unclipped. */
  horizontal(x: number, z: number, up = 0): number {
    return 0.5 + (this.#focalLength * x) / (this.#axial(z, up) * ASPECT);
  }

  /** y of it, as `horizontal`. */
  vertical(z: number, up = 0): number {
    const across = (this.#height - up) * this.#cos - z * this.#sin;
    return 0.5 + (this.#focalLength * across) / this.#axial(z, up);
  }

  /** From the floor to the frame, in fractions. */
  project(at: Ground): Point {
    return [this.horizontal(at.x, at.z), this.vertical(at.z)];
  }

  /** Height of an object at distance z, as a share of the frame. */
  apparentHeight(z: number, heightMetres: number): number {
    return this.vertical(z) - this.vertical(z, heightMetres);
  }

  /** Half of the visible width of the floor at distance z, in metres. */
  halfViewWidth(z: number): number {
    return (this.#axial(z, 0) * ASPECT) / (2 * this.#focalLength);
  }

  /** A point just outside the frame at distance z, on the left (-1) or right (1). */
  beyondEdge(side: -1 | 1, z: number): Ground {
    return { x: side * (this.halfViewWidth(z) + 0.9), z };
  }

  /** Distance of a point `up` metres above the floor, along the axis of the camera. */
  #axial(z: number, up: number): number {
    return z * this.#cos + (this.#height - up) * this.#sin;
  }
}

/** Below the ceiling, with a vertical angle of view of 35°. */
export const SHOP_VIEW = new View({ heightMetres: 2.7, tiltDegrees: 15, focalLength: 1.6 });
/** As high as eyes, with an angle of 53°. */
export const EYE_LEVEL = new View({ heightMetres: 1.6, tiltDegrees: 8, focalLength: 1 });
