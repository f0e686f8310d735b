import sharp from 'sharp';

/**
 * The number of a frame of a film, in white boxes at the upper edge of its picture, so that a picture tells when it was sent.
 * It has two parts, the number modulo 64 and modulo 63: every box changes about once a second, as noise that a camera is used to.
 */
const MODULI = [64, 63] as const;
const BITS = 6;
/** Boxes would fit side by side. */
const BOXES_ACROSS = 40;
/** A film is shorter than this number of frames. */
export const MOST_FRAMES = MODULI[0] * MODULI[1];
/** Of 255. */
const WHITE = 128;

/** ffmpeg's filters that draw the number into each frame. */
export const clockFilters = (): string =>
  [
    `drawbox=x=0:y=0:w=iw*${BITS * MODULI.length}/${BOXES_ACROSS}:h=iw/${BOXES_ACROSS}:color=black:t=fill`,
    ...MODULI.flatMap((modulus, part) =>
      Array.from({ length: BITS }, (_, bit) => {
        const x = `x=iw*${part * BITS + bit}/${BOXES_ACROSS}:y=0:w=iw/${BOXES_ACROSS}:h=iw/${BOXES_ACROSS}`;
        return `drawbox=${x}:color=white:t=fill:enable='bitand(mod(n\\,${modulus})\\,${1 << bit})'`;
      }),
    ),
  ].join(',');

/** The number of the frame that a picture shows. */
export async function readClock(jpeg: Uint8Array): Promise<number> {
  const { data, info } = await sharp(jpeg).greyscale().raw().toBuffer({ resolveWithObject: true });
  const side = info.width / BOXES_ACROSS;
  const isWhite = (box: number) => {
    const [x, y] = [Math.floor((box + 0.5) * side), Math.floor(side / 2)];
    return data[(y * info.width + x) * info.channels]! > WHITE;
  };
  const [first, second] = MODULI.map((_, part) =>
    Array.from({ length: BITS }, (_, bit) => (isWhite(part * BITS + bit) ? 1 << bit : 0)).reduce(
      (number, value) => number + value,
      0,
    ),
  ) as [number, number];
  // The moduli follow each other: how far the remainders are apart says how often the smaller one fits.
  const [large, small] = MODULI;
  return first + large * ((((second - first) % small) + small) % small);
}
