import type { Detector } from '../../vision/detect/detector.ts';
import type { FullFrame } from '../../vision/frame.ts';
import { LETTERBOX_LEVEL } from '../ffmpeg/ffmpeg-arguments.ts';
import { fitLetterbox } from '../ffmpeg/letterbox.ts';
import type { ModelInput } from '../health/has-content.ts';
import { toRgb } from '../small-jpeg.ts';

/** A full frame as input of a detector, for frames that ffmpeg did not prepare for one. */
export function modelInputOf(
  frame: FullFrame,
  { inputWidth, inputHeight }: Pick<Detector, 'inputWidth' | 'inputHeight'>,
): ModelInput {
  const letterbox = fitLetterbox(frame, inputWidth, inputHeight);
  const { contentWidth: width, contentHeight: height } = letterbox;
  const rgb = toRgb(frame, { width, height });
  const model = new Uint8Array(inputWidth * inputHeight * 3).fill(LETTERBOX_LEVEL);
  for (let row = 0; row < height; row++)
    model.set(rgb.subarray(row * width * 3, (row + 1) * width * 3), row * inputWidth * 3);
  return { model, letterbox };
}
