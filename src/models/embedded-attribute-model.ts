import type { AttributeModel, Crop } from '../vision/attributes/attribute-model.ts';
import { EMBEDDED } from '../vision/attributes/attribute-model.ts';
import { classifyClothing } from '../vision/attributes/clothing.ts';
import type { CropPixels, Point } from '../vision/attributes/crop-colours.ts';
import { classifyFace, type FoundFace, readFace } from '../vision/attributes/face.ts';
import { ATTRIBUTE_CATEGORIES, type AttributeKey, type Classification } from '../vision/attributes/keys.ts';
import { classifyOrientation } from '../vision/attributes/orientation.ts';
import { type Pose, readPose } from '../vision/attributes/pose.ts';
import { takeFrom } from '../vision/detect/outputs.ts';
import type { FullFrame } from '../vision/frame.ts';
import type { Box } from '../vision/types.ts';
import { readAttributeCard } from './cards.ts';
import { EMBEDDED_KEYS } from './covered-keys.ts';
import { CropNetwork, type NetworkPlace } from './crop-network.ts';
import { CROP } from './ready-network.ts';

/** Margin around a person, as in the training of pose networks. */
const AROUND_BODY = 1.25;
/** The position of the head on the box, and the part of the height around it that is searched for a face. */
const HEAD = { centre: 0.075, side: 0.3 };
/** Gender and age are not estimated for narrower faces. */
const LEAST_FACE_PX = 56;
const SURE_FACE = 0.8;
/** Margin around the face for FaceRes. */
const AROUND_FACE = 1.5;

/** What FaceRes estimates. */
const OF_FACES: ReadonlySet<AttributeKey> = new Set([
  ...ATTRIBUTE_CATEGORIES.gender,
  ...ATTRIBUTE_CATEGORIES.age,
]);

/** The embedded default: pose, face and the colours along the limbs. It needs no download. */
export class EmbeddedAttributeModel implements AttributeModel {
  readonly name = EMBEDDED;
  readonly keys = EMBEDDED_KEYS;
  readonly #pose: CropNetwork;
  readonly #face: CropNetwork;
  readonly #years: CropNetwork;

  private constructor(pose: CropNetwork, face: CropNetwork, years: CropNetwork) {
    this.#pose = pose;
    this.#face = face;
    this.#years = years;
  }

  static async open(place: NetworkPlace): Promise<EmbeddedAttributeModel> {
    const open = async (name: string) =>
      CropNetwork.open(await readAttributeCard(place.modelsDir, name), place);
    return new EmbeddedAttributeModel(
      await open('movenet-lightning'),
      await open('blazeface-front'),
      await open('faceres'),
    );
  }

  async classify({ frame, box }: Crop, keys: readonly AttributeKey[] = this.keys): Promise<Classification> {
    const pixels = {
      left: box.left * frame.width,
      top: box.top * frame.height,
      right: box.right * frame.width,
      bottom: box.bottom * frame.height,
    };
    const { crop, pose } = await this.#readPose(frame, pixels);
    const head = headOf(pixels);
    const face = await this.#readFace(frame, head);
    return {
      ...classifyClothing(crop, pose),
      ...classifyOrientation(crop, pose, face.score),
      ...(keys.some((key) => OF_FACES.has(key)) && (await this.#readYears(frame, head, face))),
    };
  }

  async dispose(): Promise<void> {
    await Promise.all([this.#pose.dispose(), this.#face.dispose(), this.#years.dispose()]);
  }

  async #readPose(frame: FullFrame, box: Box): Promise<{ crop: CropPixels; pose: Pose }> {
    const { width, height } = this.#pose.card.input;
    const tall = AROUND_BODY * Math.max(((box.right - box.left) * height) / width, box.bottom - box.top);
    const size = { width: (tall * width) / height, height: tall };
    const take = takeFrom(await this.#pose.run(frame, around(middleOf(box), size)));
    const [center, regress, heatmap, offset] = [
      take('center'),
      take('regress'),
      take('heatmap'),
      take('offset'),
    ];
    const pose = readPose({ center, regress, heatmap, offset }, { width, height });
    return { crop: { data: take(CROP), width, height }, pose };
  }

  async #readFace(frame: FullFrame, head: Box): Promise<FoundFace> {
    const take = takeFrom(await this.#face.run(frame, head));
    return readFace(
      {
        fineScores: take('fineScores'),
        coarseScores: take('coarseScores'),
        fineBoxes: take('fineBoxes'),
        coarseBoxes: take('coarseBoxes'),
      },
      this.#face.card.input.width,
    );
  }

  async #readYears(frame: FullFrame, head: Box, face: FoundFace): Promise<Classification> {
    const scale = (head.right - head.left) / this.#face.card.input.width;
    const width = face.width * scale;
    if (face.score < SURE_FACE || width < LEAST_FACE_PX) return {};
    const middle = { x: head.left + face.x * scale, y: head.top + face.y * scale };
    const take = takeFrom(await this.#years.run(frame, square(middle, AROUND_FACE * width)));
    return classifyFace(take('male')[0]!, take('ages'));
  }
}

const middleOf = ({ left, top, right, bottom }: Box) => ({ x: (left + right) / 2, y: (top + bottom) / 2 });

function around({ x, y }: Point, { width, height }: { width: number; height: number }): Box {
  return { left: x - width / 2, top: y - height / 2, right: x + width / 2, bottom: y + height / 2 };
}

const square = (middle: Point, side: number): Box => around(middle, { width: side, height: side });

function headOf(box: Box): Box {
  const height = box.bottom - box.top;
  return square({ x: (box.left + box.right) / 2, y: box.top + HEAD.centre * height }, HEAD.side * height);
}
