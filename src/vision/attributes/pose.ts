/** The joints of MoveNet, in its order; left and right are the person’s. */
const JOINTS = [
  'nose',
  'leftEye',
  'rightEye',
  'leftEar',
  'rightEar',
  'leftShoulder',
  'rightShoulder',
  'leftElbow',
  'rightElbow',
  'leftWrist',
  'rightWrist',
  'leftHip',
  'rightHip',
  'leftKnee',
  'rightKnee',
  'leftAnkle',
  'rightAnkle',
] as const;

/** Pixels of the crop. */
export interface Joint {
  readonly x: number;
  readonly y: number;
  /** 0-1 */
  readonly score: number;
}
export type Pose = Readonly<Record<(typeof JOINTS)[number], Joint>>;

/** The network’s outputs, planes of equal rows and columns. */
export interface PoseOutputs {
  /** Where a person’s middle is, already weighted towards the crop’s. */
  readonly center: Float32Array;
  /** From a person’s middle to each joint: y, x in turn; cells. */
  readonly regress: Float32Array;
  readonly heatmap: Float32Array;
  /** From a cell to the joint in it: y, x in turn; cells. */
  readonly offset: Float32Array;
}

/** A joint is looked for near where the person’s middle says; this many cells away it counts half as much. */
const SPREAD_CELLS = 1.8;

/** The pose of the person in the middle of the crop. @param size pixels of the crop */
export function readPose(
  { center, regress, heatmap, offset }: PoseOutputs,
  size: { readonly width: number; readonly height: number },
): Pose {
  const plane = center.length;
  const columns = Math.sqrt((plane * size.width) / size.height);
  const rows = plane / columns;
  const scale = size.width / columns;
  const middle = center.reduce((best, value, at) => (value > center[best]! ? at : best), 0);
  const [row, column] = [Math.floor(middle / columns), middle % columns];
  const found = JOINTS.map((name, joint) => {
    const expectedY = row + regress[2 * joint * plane + middle]!;
    const expectedX = column + regress[(2 * joint + 1) * plane + middle]!;
    let best = -1;
    let cell = 0;
    for (let y = 0, at = 0; y < rows; y++)
      for (let x = 0; x < columns; x++, at++) {
        const score = heatmap[joint * plane + at]!;
        // the square root is spared where it cannot win
        if (score / SPREAD_CELLS <= best) continue;
        const distance = Math.sqrt((y - expectedY) ** 2 + (x - expectedX) ** 2);
        const weighted = score / (distance + SPREAD_CELLS);
        if (weighted > best) [best, cell] = [weighted, at];
      }
    const y = Math.floor(cell / columns) + offset[2 * joint * plane + cell]!;
    const x = (cell % columns) + offset[(2 * joint + 1) * plane + cell]!;
    return [name, { x: x * scale, y: y * scale, score: heatmap[joint * plane + cell]! }];
  });
  return Object.fromEntries(found) as Pose;
}
