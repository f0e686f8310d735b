import type { Appearance, SeenAppearance } from './types.ts';

/** Mean difference of the colours over the parts that both show, 0-255; null where there is none. */
export function appearanceDifference(a: SeenAppearance, b: SeenAppearance): number | null {
  const torso = a.showsTorso && b.showsTorso;
  const legs = a.showsLegs && b.showsLegs;
  if (torso && legs)
    return (channelDifference(a.colours, b.colours, 0) + channelDifference(a.colours, b.colours, 3)) / 2;
  if (torso) return channelDifference(a.colours, b.colours, 0);
  return legs ? channelDifference(a.colours, b.colours, 3) : null;
}

function channelDifference(a: Appearance, b: Appearance, from: number): number {
  let sum = 0;
  for (let i = from; i < from + 3; i++) sum += Math.abs(a[i]! - b[i]!);
  return sum / 3;
}
