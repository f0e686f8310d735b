/**
 * A random number that depends on its three places alone: the same future has the same luck in every prediction (common random
 * numbers), so that one more person in the line never shortens a wait by chance.
 * @returns 0 < value < 1
 */
export function luck(future: number, place: number, turn: number): number {
  let h =
    Math.imul(future + 1, 0x9e3779b1) ^ Math.imul(place + 1, 0x85ebca77) ^ Math.imul(turn + 1, 0xc2b2ae3d);
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d);
  h = Math.imul(h ^ (h >>> 12), 0x297a2d39);
  return ((h ^ (h >>> 15)) >>> 0) / 4294967296 + 1e-10;
}
