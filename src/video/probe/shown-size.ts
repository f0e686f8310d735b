export interface CodedSize {
  readonly width: number;
  readonly height: number;
  /** Aspect of one pixel, as `4:3`. `0:1` and undefined mean unknown and are taken for square. */
  readonly pixelAspect: string | undefined;
  readonly rotationDegrees: number;
}

/** The size a viewer sees, in square pixels. */
export function shownSize({ width, height, pixelAspect, rotationDegrees }: CodedSize): {
  width: number;
  height: number;
} {
  const [across, down] = (pixelAspect ?? '1:1').split(':').map(Number);
  const wide = across && down ? Math.round((width * across) / down) : width;
  return Math.abs(rotationDegrees) % 180 === 90 ? { width: height, height: wide } : { width: wide, height };
}
