import { largestOf } from '../detect/outputs.ts';

/** The joints that MoveNet gives on the left and on the right of the person, in its order, after the nose. */
const PAIRS = ['Eye', 'Ear', 'Shoulder', 'Elbow', 'Wrist', 'Hip', 'Knee', 'Ankle'] as const;
type JointName = 'nose' | `${'left' | 'right'}${(typeof PAIRS)[number]}`;
const JOINTS = ['nose', ...PAIRS.flatMap((pair) => [`left${pair}`, `right${pair}`] as const)] as const;

/** Pixels of the crop. */
export interface Joint {
  readonly x: number;
  readonly y: number;
  /** 0-1 */
  readonly score: number;
}
export type Pose = Readonly<Record<JointName, Joint>>;

/** The outputs of MoveNet, planes of equal rows and columns. */
export interface PoseOutputs {
  /** How likely each cell is the middle of a person, weighted towards the middle of the crop. */
  readonly center: Float32Array;
  /** From the middle of a person to each joint: y, x in turn; cells. */
  readonly regress: Float32Array;
  readonly heatmap: Float32Array;
  /** From a cell to the joint in it: y, x in turn; cells. */
  readonly offset: Float32Array;
}

/** Distance from the expected position at which a joint counts half as much, in cells. */
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
  const middle = largestOf(center).at;
  const [row, column] = [Math.floor(middle / columns), middle % columns];
  const wayTo = (values: Float32Array, joint: number, cell: number) => {
    const at = 2 * joint * plane + cell;
    return { down: values[at]!, across: values[at + plane]! };
  };
  const found = JOINTS.map((name, joint) => {
    const expected = wayTo(regress, joint, middle);
    const [expectedY, expectedX] = [row + expected.down, column + expected.across];
    let best = -1;
    let cell = 0;
    for (let y = 0, at = 0; y < rows; y++)
      for (let x = 0; x < columns; x++, at++) {
        const score = heatmap[joint * plane + at]!;
        // Saves the square root where the cell cannot win.
        if (score / SPREAD_CELLS <= best) continue;
        const distance = Math.sqrt((y - expectedY) ** 2 + (x - expectedX) ** 2);
        const weighted = score / (distance + SPREAD_CELLS);
        if (weighted > best) [best, cell] = [weighted, at];
      }
    const { down, across } = wayTo(offset, joint, cell);
    const [y, x] = [Math.floor(cell / columns) + down, (cell % columns) + across];
    return [name, { x: x * scale, y: y * scale, score: heatmap[joint * plane + cell]! }];
  });
  return Object.fromEntries(found) as Pose;
}
