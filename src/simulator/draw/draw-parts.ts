import type { Joint } from './pose.ts';

/** SVG units: a body height is 100, y runs down from the head (0) to the sole (100). */
export const px = (at: Joint): number => at.right * 100;
export const py = (at: Joint): number => 100 - at.up * 100;

const n = (value: number): string => value.toFixed(2);

/** One filled shape with light from the upper left. */
export function shaded(d: string, colour: string): string {
  return `<path d="${d}" fill="${colour}"/><path d="${d}" fill="url(#s)"/>`;
}

export function ellipsePath(x: number, y: number, rx: number, ry: number): string {
  return `M${n(x - rx)},${n(y)} a${n(rx)},${n(ry)} 0 1 0 ${n(2 * rx)},0 a${n(rx)},${n(ry)} 0 1 0 ${n(-2 * rx)},0 Z`;
}

/** A limb: a rounded, tapering bar from a to b with radii in SVG units. */
export function bar(a: Joint, b: Joint, radii: readonly [number, number]): string {
  const [ax, ay, bx, by] = [px(a), py(a), px(b), py(b)];
  const [ra, rb] = radii;
  const length = Math.hypot(bx - ax, by - ay);
  if (length < 0.5) return ellipsePath(ax, ay, ra, ra);
  const [nx, ny] = [-(by - ay) / length, (bx - ax) / length];
  return (
    `M${n(ax + nx * ra)},${n(ay + ny * ra)} L${n(bx + nx * rb)},${n(by + ny * rb)} ` +
    `A${n(rb)},${n(rb)} 0 0 0 ${n(bx - nx * rb)},${n(by - ny * rb)} ` +
    `L${n(ax - nx * ra)},${n(ay - ny * ra)} A${n(ra)},${n(ra)} 0 0 0 ${n(ax + nx * ra)},${n(ay + ny * ra)} Z`
  );
}

/** A point between two, at `share` of the distance. */
export function between(a: Joint, b: Joint, share: number): Joint {
  return {
    right: a.right + (b.right - a.right) * share,
    up: a.up + (b.up - a.up) * share,
    away: a.away + (b.away - a.away) * share,
  };
}

/** A closed, smoothed outline, symmetric about `x`. @param halves y and half the width there, SVG units */
export function trunk(x: number, ...halves: readonly (readonly [y: number, half: number])[]): string {
  const side = (sign: 1 | -1) => halves.map(([y, half]) => [x + sign * half, y] as const);
  const points = [...side(-1), ...side(1).reverse()];
  const mid = (i: number) => {
    const [ax, ay] = points[i % points.length]!;
    const [bx, by] = points[(i + 1) % points.length]!;
    return `${n((ax + bx) / 2)},${n((ay + by) / 2)}`;
  };
  const curves = points.map((_, i) => {
    const [cx, cy] = points[(i + 1) % points.length]!;
    return `Q${n(cx)},${n(cy)} ${mid(i + 1)}`;
  });
  return `M${mid(0)} ${curves.join(' ')} Z`;
}
