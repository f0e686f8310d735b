import type { Letterbox } from '../../vision/types.ts';

/** The largest size with the frame's aspect that fits the model's input. Sizes in pixels. */
export function fitLetterbox(
  frame: { width: number; height: number },
  inputWidth: number,
  inputHeight: number,
): Letterbox {
  const scale = Math.min(inputWidth / frame.width, inputHeight / frame.height);
  const scaled = (size: number, limit: number) => Math.min(limit, Math.max(1, Math.round(size * scale)));
  return {
    inputWidth,
    inputHeight,
    contentWidth: scaled(frame.width, inputWidth),
    contentHeight: scaled(frame.height, inputHeight),
  };
}
