import { Option } from 'commander';
import type { NetworkSize } from '../../src/vision/detect/detector.ts';
import { sizeForRegion } from '../../src/vision/region.ts';
import type { Region } from '../../src/vision/types.ts';

/** For a part of the picture: `same` gives people as many pixels of the network as the whole picture at the largest size. */
export const partSizeOption = (): Option =>
  new Option(
    '--size <width>x<height>',
    'with --region: size of the network; "same": people get as many pixels as in the whole picture; "largest"',
  ).default('same');

/** @param sizes of a detector @param aspect width over height of the picture @throws Error that lists the sizes */
export function partSize(
  wanted: string,
  { region, aspect, sizes }: { region: Region; aspect: number; sizes: readonly NetworkSize[] },
): NetworkSize | undefined {
  if (wanted === 'same') return sizeForRegion(region, aspect, sizes);
  if (wanted === 'largest') return sizes[0];
  const found = sizes.find((size) => shownSize(size) === wanted);
  if (found) return found;
  throw new Error(`The size is same, largest, ${sizes.map(shownSize).join(' or ')}, not ${wanted}.`);
}

export const shownSize = ({ width, height }: NetworkSize): string => `${width}x${height}`;
