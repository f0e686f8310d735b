import type { AttributeKey } from './keys.ts';

/** CIELAB under daylight: lightness 0-100, then green to red, blue to yellow. Equal steps look equal. */
export type Lab = readonly [lightness: number, a: number, b: number];

/** @param rgb 0-255, sRGB */
export function labOf([red, green, blue]: readonly [number, number, number]): Lab {
  const [r, g, b] = [linear(red), linear(green), linear(blue)];
  const x = root((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505);
  const y = root(0.2126 * r + 0.7152 * g + 0.0722 * b);
  const z = root((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

const linear = (value: number): number => {
  const share = Math.min(1, Math.max(0, value / 255));
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
};
const root = (value: number): number => (value > 0.008856 ? Math.cbrt(value) : 7.787 * value + 16 / 116);

export const chromaOf = ([, a, b]: Lab): number => Math.hypot(a, b);
/** Degrees, 0-360: red 30, yellow 90, green 150, blue 280, purple 315. */
export const hueOf = ([, a, b]: Lab): number => ((Math.atan2(b, a) * 180) / Math.PI + 360) % 360;

/** Weight of lightness in a distance: light and shadow on cloth or skin count less than colour. */
const SHADOW = 0.45;
/** How different two colours of cloth or skin are. */
export const distance = (one: Lab, other: Lab): number =>
  Math.hypot(SHADOW * (one[0] - other[0]), one[1] - other[1], one[2] - other[2]);

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** The median of each channel. */
export function median(colours: readonly Lab[]): Lab {
  const middle = (channel: 0 | 1 | 2) =>
    colours.map((colour) => colour[channel]).sort((x, y) => x - y)[colours.length >> 1]!;
  return [middle(0), middle(1), middle(2)];
}

const GREYISH_CHROMA = 11;
const BLACK_UNTIL = 34;
const WHITE_FROM = 67;
/** Range of hue, least chroma and range of lightness of the colours that are keys. */
const HUES = [
  { key: 'upperRed', from: 350, to: 42, chroma: 26, lightness: [12, 62] },
  { key: 'upperYellow', from: 76, to: 108, chroma: 34, lightness: [45, 100] },
  { key: 'upperPurple', from: 292, to: 345, chroma: 16, lightness: [8, 75] },
] as const;

/** The key of a garment's colour; null for other colours (blue, green, brown, orange, pink …). */
export function upperColourOf(colour: Lab): AttributeKey | null {
  const [lightness] = colour;
  const chroma = chromaOf(colour);
  // A very dark colour hardly shows its hue.
  if (lightness < BLACK_UNTIL && chroma < GREYISH_CHROMA + 2) return 'upperBlack';
  if (chroma < GREYISH_CHROMA) return lightness < WHITE_FROM ? 'upperGray' : 'upperWhite';
  const hue = hueOf(colour);
  const found = HUES.find(({ from, to, chroma: least, lightness: [low, high] }) => {
    const lies = from < to ? hue >= from && hue < to : hue >= from || hue < to;
    return lies && chroma >= least && lightness >= low && lightness <= high;
  });
  return found?.key ?? null;
}

/** Whether a colour has the hue and chroma of skin of any tone. */
export function isSkinLike(colour: Lab): boolean {
  const chroma = chromaOf(colour);
  const hue = hueOf(colour);
  return hue > 28 && hue < 82 && chroma > 9 && chroma < 48 && colour[0] > 12 && colour[0] < 90;
}
