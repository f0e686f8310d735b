import sharp from 'sharp';
import type { Letterbox } from '../../src/vision/types.ts';

export interface ModelFrame {
  /** uint8 NHWC RGB */
  readonly pixels: Uint8Array;
  readonly letterbox: Letterbox;
}

/** Reads an image for a detector: scaled with its aspect ratio to the top left, the rest grey 114. */
export async function letterboxImage(
  file: string | Buffer,
  { inputWidth, inputHeight }: { inputWidth: number; inputHeight: number },
): Promise<ModelFrame> {
  const image = sharp(file, { failOn: 'error' }).removeAlpha().toColourspace('srgb');
  const { width, height } = await image.metadata();
  const scale = Math.min(inputWidth / width, inputHeight / height);
  const contentWidth = Math.round(width * scale);
  const contentHeight = Math.round(height * scale);
  const pixels = await image
    .resize(contentWidth, contentHeight, { fit: 'fill' })
    .extend({
      right: inputWidth - contentWidth,
      bottom: inputHeight - contentHeight,
      background: { r: 114, g: 114, b: 114 },
    })
    .raw()
    .toBuffer();
  return { pixels, letterbox: { inputWidth, inputHeight, contentWidth, contentHeight } };
}
