import type { Look, SeenLook } from './types.ts';

/** Mean difference over the parts that both show, 0-255; null where there is none. */
export function lookDifference(a: SeenLook, b: SeenLook): number | null {
  const torso = a.showsTorso && b.showsTorso;
  const legs = a.showsLegs && b.showsLegs;
  if (torso && legs) return (apart(a.look, b.look, 0) + apart(a.look, b.look, 3)) / 2;
  if (torso) return apart(a.look, b.look, 0);
  return legs ? apart(a.look, b.look, 3) : null;
}

function apart(a: Look, b: Look, from: number): number {
  let sum = 0;
  for (let i = from; i < from + 3; i++) sum += Math.abs(a[i]! - b[i]!);
  return sum / 3;
}
